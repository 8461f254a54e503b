import type { MediaTask } from '../../../../workflows/contracts/media.ts';
import type { Db } from '../../../core/db.ts';
import type { App } from '../../app.ts';
import {
  type MediaProgress,
  type MediaRow,
  type MediaStatus,
  type MediaWork,
  mediaColumns,
  type Variant,
} from '../row.ts';

const tasksAtOnce = 20;

/** What waits in a site's library, in the order in which it is to be done: what is not usable yet comes first. */
export function selectTasks(db: Db, siteId: string): Promise<MediaTask[]> {
  return db.query<MediaTask>(
    `SELECT id, work FROM media WHERE site_id = $1 AND work IS NOT NULL
     ORDER BY (CASE work WHEN 'avif' THEN 1 ELSE 0 END), created_at, id LIMIT $2`,
    [siteId, tasksAtOnce],
  );
}

/** Sites whose library waits for a worker. */
export async function selectSitesWithMediaWork(db: Db): Promise<string[]> {
  const rows = await db.query<{ site_id: string }>(
    `SELECT DISTINCT site_id FROM media WHERE work IS NOT NULL AND updated_at < now() - INTERVAL '5 seconds'`,
  );
  return rows.map((row) => row.site_id);
}

/** The item while it still waits for this work; it may have been purged, or done by another worker. */
export async function selectTask(db: Db, { id, work }: MediaTask): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(`SELECT ${mediaColumns} FROM media WHERE id = $1 AND work = $2`, [id, work]);
  return rows[0];
}

export interface Outcome {
  variants: readonly Variant[];
  width?: number;
  height?: number;
  duration?: number | null;
  placeholder?: string | null;
  progress: MediaProgress;
  /** What is to be done next. */
  next: MediaWork | null;
  status: MediaStatus;
}

/**
 * Saves what a piece of work has made, `made` being new in it, and what is to be done next. Nothing happens when the item
 * is gone or another worker was first.
 */
export async function saveTask(
  { db, objects }: Pick<App, 'db' | 'objects'>,
  { id, work }: MediaTask,
  made: readonly Variant[],
  outcome: Outcome,
): Promise<void> {
  const hashes = made.map(({ hash }) => hash);
  const { variants, width, height, duration, placeholder, progress, next, status } = outcome;
  await db.transaction(async (tx) => {
    await objects.pin(tx, hashes);
    await tx.query(
      `UPDATE media SET variants = $3::JSONB, width = COALESCE($4::INT8, width), height = COALESCE($5::INT8, height),
         duration = COALESCE($6::FLOAT8, duration), placeholder = COALESCE($7::TEXT, placeholder), work = $8,
         status = $9, progress = $10::JSONB, error = NULL, revision = revision + 1, updated_at = clock_timestamp()
       WHERE id = $1 AND work = $2`,
      [
        id,
        work,
        JSON.stringify(variants),
        width ?? null,
        height ?? null,
        duration ?? null,
        placeholder ?? null,
        next,
        status,
        JSON.stringify(progress),
      ],
    );
  });
}

const progressEveryMs = 400;

/**
 * Notes how far the work on an item is, a few times a second at most and one write at a time. A courtesy: a write that fails
 * changes nothing, and the one that ends the work says the last word.
 */
export function createProgressNote(db: Db, { id, work }: MediaTask) {
  let last = 0;
  let writing: Promise<unknown> | null = null;
  return {
    note(progress: MediaProgress): void {
      if (writing || performance.now() - last < progressEveryMs) return;
      last = performance.now();
      writing = db
        .query('UPDATE media SET progress = $3::JSONB WHERE id = $1 AND work = $2', [
          id,
          work,
          JSON.stringify(progress),
        ])
        .catch(() => undefined)
        .finally(() => {
          writing = null;
        });
    },
    /** Resolves when no write is under way. */
    settle: async () => {
      await writing;
    },
  };
}

/** Gives up. An item that is usable already stays so without what is missing. */
export async function failTask(db: Db, { id, work }: MediaTask, reason: string): Promise<void> {
  await db.query(
    `UPDATE media SET status = (CASE status WHEN 'ready' THEN 'ready' ELSE 'failed' END), error = $3, work = NULL,
       revision = revision + 1, updated_at = clock_timestamp()
     WHERE id = $1 AND work = $2`,
    [id, work, reason],
  );
}
