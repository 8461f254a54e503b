import type { Db } from '../../core/db.ts';
import { recordChange } from '../audit/index.ts';
import { allColumns, type ContentRow } from './row.ts';
import { updateContentRow } from './sql.ts';

/** More that are due at once are taken by the next round. */
const maxItems = 200;

/**
 * Turns the items of a site that are due into published ones, each with a revision of its own (spec: States and
 * transitions), and records each in the audit log. `published_at` is the time that was announced, unless one was given. Answers how many there were.
 */
export async function publishDueContent(tx: Db, site: { id: string; slug: string }): Promise<number> {
  const due = await tx.query<ContentRow>(
    `SELECT ${allColumns} FROM content
     WHERE site_id = $1 AND status = 'scheduled' AND trashed_at IS NULL AND scheduled_at <= now()
     ORDER BY scheduled_at LIMIT $2 FOR UPDATE`,
    [site.id, maxItems],
  );
  for (const row of due) {
    const next = { ...row, status: 'published' as const, published_at: row.published_at ?? row.scheduled_at };
    await updateContentRow(tx, row, next, 'scheduler');
    const target = { kind: 'content', id: row.id, name: row.slug };
    await recordChange(tx, { operation: 'publishScheduled', site, target }, { via: 'scheduler' });
  }
  return due.length;
}
