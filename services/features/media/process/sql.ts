import type { MediaTask } from '../../../../workflows/contracts/media.ts';
import type { Db } from '../../../core/db.ts';
import type { App } from '../../app.ts';
import { announceReady } from '../announce.ts';
import { type FileTask, noteProgress, type Outcome, saveWork } from '../media-state.ts';
import { type MediaProgress, type MediaRow, mediaColumns, type Variant } from '../row.ts';

const tasksAtOnce = 20;

/** Selects the waiting work of a site's library in order: items that are not usable yet come first. */
export function selectTasks(db: Db, siteId: string): Promise<MediaTask[]> {
  return db.query<MediaTask>(
    `SELECT id, work FROM media WHERE site_id = $1 AND work IS NOT NULL
     ORDER BY (CASE work WHEN 'avif' THEN 1 ELSE 0 END), created_at, id LIMIT $2`,
    [siteId, tasksAtOnce],
  );
}

/** Selects sites whose library waits for a worker. */
export async function selectSitesWithMediaWork(db: Db): Promise<string[]> {
  const rows = await db.query<{ site_id: string }>(
    `SELECT DISTINCT site_id FROM media WHERE work IS NOT NULL AND updated_at < now() - INTERVAL '5 seconds'`,
  );
  return rows.map((row) => row.site_id);
}

/** Selects the item if it still waits for this work; it may have been purged, or processed by another worker. */
export async function selectTask(db: Db, { id, work }: MediaTask): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(`SELECT ${mediaColumns} FROM media WHERE id = $1 AND work = $2`, [id, work]);
  return rows[0];
}

/**
 * Saves the outcome of a piece of work; `made` are its new variants. Changes nothing when the item was deleted or
 * another worker was first.
 */
export async function saveTask(
  { db, objects }: Pick<App, 'db' | 'objects'>,
  task: FileTask,
  made: readonly Variant[],
  outcome: Outcome,
): Promise<void> {
  const hashes = made.map(({ hash }) => hash);
  await db.transaction(async (tx) => {
    await objects.pin(tx, hashes);
    const isSaved = await saveWork(tx, task, outcome);
    // images that are being refined are ready already
    if (!isSaved || outcome.status !== 'ready' || task.work === 'avif') return;
    const columns = 'id, site_id, kind, filename';
    const rows = await tx.query<MediaRow>(`SELECT ${columns} FROM media WHERE id = $1`, [task.id]);
    for (const row of rows) await announceReady(tx, row);
  });
}

const progressEveryMs = 400;

/**
 * Creates a reporter of an item's progress, with at most a few writes per second and one at a time. A failed write is
 * ignored: progress is not essential, and the write that ends the work stores the final state.
 */
export function createProgressReporter(db: Db, task: FileTask) {
  let last = 0;
  let writing: Promise<unknown> | null = null;
  return {
    report(progress: MediaProgress): void {
      if (writing || performance.now() - last < progressEveryMs) return;
      last = performance.now();
      writing = noteProgress(db, task, progress)
        .catch(() => undefined)
        .finally(() => {
          writing = null;
        });
    },
    /** Resolves when no write is running. */
    settle: async () => {
      await writing;
    },
  };
}
