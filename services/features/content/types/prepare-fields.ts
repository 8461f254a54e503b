import { createBatches, perDatabase } from '../../../core/batches.ts';
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

/** The members of a request that determine the fields of the item. */
export interface FieldsRequest {
  type?: string | undefined;
  fields?: Json | undefined;
}

/** The result of sanitizing `fields` and checking them against the schema of their type. */
export interface CheckedFields {
  type: string;
  /** Version of that schema; null if the type has none. */
  version: number | null;
  /** The fields of the request; `columns` are the sanitized ones to store. */
  given: Json;
  columns: Pick<WrittenContent, 'fields' | 'html_fields'>;
  warnings: Warning[];
  /** The error if the fields are invalid. It is thrown only by a write that changes them. */
  fault?: Problem;
}

type Schema = Pick<TypeRow, 'fields_schema' | 'version'>;

export interface FieldsScope {
  app: Pick<App, 'bodies' | 'fieldChecks'>;
  /** The key id of the request; the queue of checks is fair between keys. */
  key: string;
  /** Returns the schema of a type; undefined if it has none. */
  findSchema(type: string): Promise<Schema | undefined>;
}

type FindSchema = (siteId: string, type: string) => Promise<Schema | undefined>;

/** Concurrent requests for schemas of one site share a statement. */
const schemasOf = perDatabase<FindSchema>((db) =>
  createBatches(async (siteId, types) => {
    const schemas = await selectSchemas(db, siteId, [...new Set(types)]);
    return types.map((type) => schemas.get(type));
  }),
);

/** Returns a function that finds schemas of a site and reads each once. */
export function createSchemaFinder(db: Db, siteId: string): FieldsScope['findSchema'] {
  const found = new Map<string, Promise<Schema | undefined>>();
  return (type) => {
    const known = found.get(type) ?? schemasOf(db)(siteId, type);
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

/**
 * Returns the error for fields that are too long. Checked after sanitizing, which may make texts longer, so that
 * clients can send back a record that they have read.
 */
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
 * Sanitizes and checks the fields of a request. Call it before the transaction. `known` is the item that the request
 * changes; returns undefined if its type and fields stay. Throws `unavailable`, and `validation_failed` if the check
 * exceeds its limits.
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
 * Returns the check of fields that were stored before, as in a draft or a revision. Sanitizing them again removes
 * nothing, so they keep their earlier warnings.
 */
export function keepWarnings(checked: CheckedFields, earlier: readonly Warning[]): CheckedFields {
  return checked.warnings.length > 0 ? checked : { ...checked, warnings: keptWarnings(earlier, 'fields') };
}

/**
 * Returns the field columns of an item to write. Call it in the transaction of the write: it locks the schema of the
 * type until the end. Throws `validation_failed` with the path, and `unavailable` if the schema or the item has changed
 * since the check.
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
