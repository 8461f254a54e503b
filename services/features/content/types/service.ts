import { createHash } from 'node:crypto';
import type { Db } from '../../../core/db.ts';
import { type ErrorDetail, invalid, notFound, problem } from '../../../core/errors.ts';
import type { App } from '../../app.ts';
import { usesType } from '../sql.ts';
import { schemaChanged } from './checker.ts';
import { fieldPath } from './field-warnings.ts';
import { isTypeName, type TypeRequest } from './schema.ts';
import {
  countTypes,
  deleteTypeRow,
  lockType,
  selectFieldsAfter,
  selectRevisionsAfter,
  type TypeRow,
  upsertType,
} from './sql.ts';

const maxTypes = 100;
/** Items in memory at the same time; the fields of one may be 64 KiB. */
const fieldsPerBatch = 100;
const revisionsPerBatch = 2000;
const maxFaults = 100;
/** Time limit of the check of all items; a schema that exceeds it is rejected, even if the cause is a slow machine. */
const maxCheckMs = 60_000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** A valid schema, and the result of checking the stored items of its type against it. */
export interface PreparedType {
  type: string;
  request: TypeRequest;
  /** The first items that violate the schema. */
  faults: ErrorDetail[];
  /** Hash of the ids and revisions of the checked items. */
  digest: string;
}

interface ItemPage {
  id: string;
  revision: number;
}

/**
 * Reads all items of a type page by page, and returns a hash of their ids and revisions. `look` stops it by returning
 * false.
 */
async function digestItems<Item extends ItemPage>(
  read: (afterId: string) => Promise<Item[]>,
  look: (items: Item[]) => Promise<boolean>,
): Promise<string> {
  const digest = createHash('sha256');
  for (let after = beforeAll; ; ) {
    const items = await read(after);
    const last = items.at(-1);
    if (!last) return digest.digest('hex');
    for (const { id, revision } of items) digest.update(`${id}:${revision};`);
    if (!(await look(items))) return digest.digest('hex');
    after = last.id;
  }
}

/**
 * Checks a schema, and all items of its type against it, in threads and in batches of items. Call it before the
 * transaction. Throws `validation_failed` for an invalid schema, and `unavailable`.
 */
export async function prepareType(
  { app, db, site, key }: { app: Pick<App, 'fieldChecks'>; db: Db; site: { id: string }; key: string },
  type: string,
  request: TypeRequest,
): Promise<PreparedType> {
  if (!isTypeName(type))
    throw invalid([
      { path: 'type', message: 'must be at most 64 lowercase letters, digits, _ and -, beginning with a letter' },
    ]);
  const { fields_schema } = request;
  const fault = await app.fieldChecks.checkSchema(key, fields_schema);
  if (fault !== null) throw invalid([{ path: 'fields_schema', message: fault }]);
  const faults: ErrorDetail[] = [];
  const endMs = performance.now() + maxCheckMs;
  const digest = await digestItems(
    (after) => selectFieldsAfter(db, site.id, type, after, fieldsPerBatch),
    async (items) => {
      const found = await app.fieldChecks.check(
        key,
        fields_schema,
        items.map(({ fields }) => fields),
      );
      for (const [index, one] of found.entries())
        if (one) faults.push({ path: `${items[index]!.id}.${fieldPath(one.path)}`, message: one.message });
      if (performance.now() > endMs)
        throw invalid([{ path: 'fields_schema', message: 'takes too much time to check the stored items against' }]);
      return faults.length < maxFaults;
    },
  );
  return { type, request, faults: faults.slice(0, maxFaults), digest };
}

/**
 * Stores a schema. Writes of items of the type wait for the transaction. Throws `conflict` with the items that violate
 * the schema, `validation_failed` if the site has too many types, and `unavailable` if items have changed since the
 * check.
 */
export async function storeType(
  db: Db,
  siteId: string,
  { type, request, faults, digest }: PreparedType,
): Promise<{ row: TypeRow; isNew: boolean }> {
  const version = await lockType(db, siteId, type);
  if (version === undefined && (await countTypes(db, siteId)) >= maxTypes)
    throw invalid([{ path: 'type', message: `a site has at most ${maxTypes} types; delete one first` }]);
  if (faults.length > 0)
    throw problem('conflict', 'Stored items do not fit this schema; change them first.', { details: faults });
  const present = await digestItems(
    (after) => selectRevisionsAfter(db, siteId, type, after, revisionsPerBatch),
    async () => true,
  );
  if (present !== digest) throw schemaChanged(type);
  return { row: await upsertType(db, siteId, { type, ...request }), isNew: version === undefined };
}

/**
 * Deletes the schema of a type. Throws `not_found`, and `in_use` while items have the type, including those in the
 * trash.
 */
export async function deleteType(db: Db, siteId: string, type: string): Promise<void> {
  if ((await lockType(db, siteId, type)) === undefined) throw notFound('type');
  if (await usesType(db, siteId, type))
    throw problem('in_use', `Items have the type ${type}, perhaps in the trash; change or purge them first.`);
  await deleteTypeRow(db, siteId, type);
}
