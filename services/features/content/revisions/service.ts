import { columnsOfRevision, writableNames } from '../../../core/content-model.ts';
import type { Db } from '../../../core/db.ts';
import { notFound } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { formatTimestamp } from '../../../core/timestamp.ts';
import type { App } from '../../app.ts';
import type { Prepared } from '../body/prepare-body.ts';
import { itemName } from '../item-input.ts';
import { type PrepareScope, prepareItem } from '../prepare-item.ts';
import { loadBody, presentItem } from '../present.ts';
import { type BodilessRow, type ContentRow, findChanges } from '../row.ts';
import type { UpdateContent } from '../schema.ts';
import type { ContentScope } from '../scope.ts';
import { requireBodiless } from '../trash.ts';
import { keptWarnings } from '../types/field-warnings.ts';
import { keepWarnings } from '../types/prepare-fields.ts';
import { readChangedBy } from './changed-by.ts';
import { revPattern } from './schema.ts';
import { type RevisionRow, selectRevision, selectRevisions, type WholeRevisionRow } from './sql.ts';

type Scope = Pick<ContentScope, 'db' | 'site'>;

/** Returns the row of an item at the time of a revision. */
export function rowAt(item: BodilessRow, revision: WholeRevisionRow): ContentRow {
  const { record, body_html, body_hash, created_at: updated_at } = revision;
  const { id, site_id, created_by, created_at } = item;
  const system = { id, site_id, created_by, created_at, updated_at, revision: revision.revision, trashed_at: null };
  return { ...columnsOfRevision(record), ...system, body_html, body_hash } as unknown as ContentRow;
}

/** Returns an item outside the trash and its revision. Throws `not_found`. */
async function requireRevision(scope: Scope, id: string | undefined, rev: string | undefined) {
  const item = await requireBodiless(scope, requireId(id, itemName));
  const row = revPattern.test(rev ?? '') ? await selectRevision(scope.db, item.id, Number(rev)) : undefined;
  if (!row) throw notFound('revision of this item');
  return { item, row };
}

const present = (row: RevisionRow, byOf: Awaited<ReturnType<typeof readChangedBy>>) => ({
  rev: String(row.revision),
  created_at: formatTimestamp(row.created_at),
  by: byOf(row.changed_by),
});

/** Returns the list records of revisions. */
export async function presentRevisions(db: Db, rows: readonly RevisionRow[]) {
  const byOf = await readChangedBy(
    db,
    rows.map((row) => row.changed_by),
  );
  return rows.map((row) => present(row, byOf));
}

/** Returns one page of the revisions of an item outside the trash. Throws `not_found`. */
export async function listRevisions(scope: Scope, id: string | undefined, page: { page: number; per_page: number }) {
  const item = await requireBodiless(scope, requireId(id, itemName));
  return selectRevisions(scope.db, item.id, page);
}

/**
 * Returns the differences between two versions of an item, by member of the record. A large body is read while the
 * reply is sent.
 */
function compare(app: App, site: ContentScope['site'], before: ContentRow, after: ContentRow) {
  const changes = findChanges(before, after);
  if (before.body_html === after.body_html && before.body_hash === after.body_hash) return changes;
  const bodyOf = (row: ContentRow) => presentItem(app, site, row).body_html;
  return { ...changes, body_html: { from: bodyOf(before), to: bodyOf(after) } };
}

/**
 * Returns a revision with the item at that time, and the differences from the revision `other`. Throws `not_found`,
 * also for `other`.
 */
export async function readRevision(
  app: App,
  scope: Scope,
  { id, rev }: Readonly<Record<string, string>>,
  other: string | undefined,
) {
  const { item, row } = await requireRevision(scope, id, rev);
  const [record] = await presentRevisions(scope.db, [row]);
  const shown = rowAt(item, row);
  const whole = { ...record!, item: presentItem(app, scope.site, shown) };
  if (other === undefined) return whole;
  const before = rowAt(item, (await requireRevision(scope, id, other)).row);
  return { ...whole, compared: { rev: other, changes: compare(app, scope.site, before, shown) } };
}

/**
 * Returns the update that restores every member of an item from a revision, including status and slug. The body is
 * sanitized again, because the rules may have become stricter, and the fields are checked against the current schema.
 * Call it before the transaction. Throws `not_found`, `unavailable`.
 */
export async function prepareRestore(
  scope: Scope & PrepareScope,
  { id, rev }: Readonly<Record<string, string>>,
): Promise<Prepared<UpdateContent>> {
  const { item, row } = await requireRevision(scope, id, rev);
  const then = rowAt(item, row);
  const members = Object.fromEntries(writableNames.map((name) => [name, then[name]]));
  const request = { ...members, body_html: await loadBody(scope.app.objects, then) } as UpdateContent;
  const { body, checked, ...prepared } = await prepareItem(scope, request, item);
  const { columns, ...found } = body!;
  const warnings = columns.warnings.length > 0 ? columns.warnings : keptWarnings(then.warnings, 'body');
  return {
    ...prepared,
    checked: keepWarnings(checked!, then.warnings),
    body: { columns: { ...columns, warnings }, ...found },
  };
}
