import { maxFieldsLength } from '../../../core/content-fields.ts';
import type { Db } from '../../../core/db.ts';
import { invalid, type Problem } from '../../../core/errors.ts';
import { replaceAt, valueAt } from '../../../core/json-pointers.ts';
import { toSchema } from '../../../engines/sandbox/components/variables-schema.ts';
import type { App } from '../../app.ts';
import type { ContentRow, WrittenContent } from '../row.ts';
import { sameJson } from '../same-json.ts';
import { schemaChanged } from './checker.ts';
import { fieldPath, keptWarnings, type Warning, warningOf } from './field-warnings.ts';
import { findHtml } from './read-schema.ts';
import { lockTypeVersion, selectSchemas, type TypeRow } from './sql.ts';

type Json = Record<string, unknown>;

/** The members of a request that decide about its fields. */
export interface FieldsRequest {
  type?: string | undefined;
  fields?: Json | undefined;
}

/** `fields` that are clean and fit the schema which their type had. */
export interface CheckedFields {
  type: string;
  /** Of that schema; null when the type has none. */
  version: number | null;
  /** What was checked, and what is stored in its place. */
  given: Json;
  columns: Pick<WrittenContent, 'fields' | 'html_fields'>;
  warnings: Warning[];
  /** Why they cannot be stored, if they are to be: a write may turn out to leave them as they were. */
  fault?: Problem;
}

type Schema = Pick<TypeRow, 'fields_schema' | 'version'>;

export interface FieldsScope {
  app: Pick<App, 'bodies' | 'fieldChecks'>;
  /** Whose they are: those of different keys take turns. */
  key: string;
  /** The schema of a type; undefined when it has none. */
  findSchema(type: string): Promise<Schema | undefined>;
}

/** Looks schemas of a site up, each once. */
export function createSchemaFinder(db: Db, siteId: string): FieldsScope['findSchema'] {
  const found = new Map<string, Promise<Schema | undefined>>();
  return (type) => {
    const known = found.get(type) ?? selectSchemas(db, siteId, [type]).then((schemas) => schemas.get(type));
    found.set(type, known);
    return known;
  };
}

type KnownItem = Pick<ContentRow, 'type' | 'fields'>;
const defaultType = 'post';

const none = { fields: {}, html_fields: [] };
const noSchema = (type: string) =>
  invalid([{ path: 'fields', message: `must be {}: the type ${type} has no schema of its own` }]);

function withoutSchema(type: string, given: Json): CheckedFields {
  const checked = { type, version: null, given, columns: none, warnings: [] };
  return Object.keys(given).length > 0 ? { ...checked, fault: noSchema(type) } : checked;
}

/** Sanitizing may make texts longer, and a record that was read can be sent back. */
const tooLong = () =>
  invalid([{ path: 'fields', message: `must be at most ${maxFieldsLength} characters after sanitizing` }]);

async function checkOne(
  { app, key }: FieldsScope,
  type: string,
  given: Json,
  { fields_schema, version }: Schema,
): Promise<CheckedFields> {
  const html_fields = findHtml(toSchema(fields_schema), given);
  const texts = html_fields.map((pointer) => valueAt(given, pointer) as string);
  const clean = texts.length > 0 ? await app.bodies.clean(key, texts) : [];
  const cleanAt = new Map(html_fields.map((pointer, index) => [pointer, clean[index]!]));
  const fields = replaceAt(given, html_fields, (_old, pointer) => cleanAt.get(pointer)!.html.toString());
  const [fault] = await app.fieldChecks.check(key, fields_schema, [fields]);
  const warnings = html_fields.flatMap((pointer) =>
    cleanAt.get(pointer)!.warnings.map((warning) => warningOf(pointer, warning)),
  );
  const checked = { type, version, given, columns: { fields, html_fields }, warnings };
  if (fault) return { ...checked, fault: invalid([{ path: fieldPath(fault.path), message: fault.message }]) };
  return JSON.stringify(fields).length > maxFieldsLength ? { ...checked, fault: tooLong() } : checked;
}

/**
 * Sanitizes and checks the fields of a request, before the transaction that stores them. `known` is the item that it changes: one whose
 * type and fields stay is not looked at. Throws `unavailable`, and `validation_failed` for what takes too much to check.
 */
export async function prepareFields(
  scope: FieldsScope,
  request: FieldsRequest,
  known?: KnownItem,
): Promise<CheckedFields | undefined> {
  const type = request.type ?? known?.type ?? defaultType;
  if (known && request.fields === undefined && type === known.type) return undefined;
  const given = request.fields ?? known?.fields ?? {};
  const schema = await scope.findSchema(type);
  return schema ? checkOne(scope, type, given, schema) : withoutSchema(type, given);
}

/**
 * Returns the check of fields that were stored before, as in a draft or a revision. Sanitizing them again removes nothing, so they keep
 * their earlier warnings.
 */
export function keepWarnings(checked: CheckedFields, earlier: readonly Warning[]): CheckedFields {
  return checked.warnings.length > 0 ? checked : { ...checked, warnings: keptWarnings(earlier, 'fields') };
}

/**
 * The columns of fields that an item gets, in the transaction that writes it: a change of its type's schema waits for that. Throws
 * `validation_failed` that names the path, and `unavailable` when the schema or the item is not the one that was checked.
 */
export async function settleFields(
  { db, site }: { db: Db; site: { id: string } },
  next: WrittenContent,
  checked: CheckedFields | undefined,
  row?: ContentRow,
): Promise<Pick<WrittenContent, 'fields' | 'html_fields' | 'warnings'>> {
  if (row && next.type === row.type && sameJson(next.fields, row.fields))
    return { fields: row.fields, html_fields: row.html_fields, warnings: next.warnings };
  const version = (await lockTypeVersion(db, site.id, next.type)) ?? null;
  if (checked?.type === next.type && checked.version === version && sameJson(checked.given, next.fields)) {
    if (checked.fault) throw checked.fault;
    return { ...checked.columns, warnings: [...keptWarnings(next.warnings, 'body'), ...checked.warnings] };
  }
  if (version !== null) throw schemaChanged(next.type);
  if (!sameJson(next.fields, {})) throw noSchema(next.type);
  return { ...none, warnings: keptWarnings(next.warnings, 'body') };
}
