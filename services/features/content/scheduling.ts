import type { Db } from '../../core/db.ts';
import { recordChange } from '../audit/index.ts';
import { allColumns, type ContentRow } from './row.ts';
import { updateContentRow } from './sql.ts';

/** Further due items are published in the next round. */
const maxItems = 200;

/**
 * Publishes the due items of a site, each as a new revision (spec: States and transitions), and records each in the
 * audit log. `published_at` becomes the scheduled time, unless one was given. Returns the number of items.
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
