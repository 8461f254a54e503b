import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../core/db.ts';
import type { MediaInput } from './model.ts';

/** Columns of a media item that a build reads. */
export const mediaInputColumns = `id, revision, kind, filename, mime_type, bytes, sha256, width, height, duration, alt, decorative, status,
  variants, placeholder, focal_point`;

const pollMs = 200;
/** An image that has been processing for this multiple of the longest wait is stuck; builds no longer wait for it. */
const stuckFactor = 3;

/**
 * Returns whether the variants are still being made. The original is never shown instead, because its metadata may
 * contain a location.
 */
export function isInProgress({ status }: MediaInput): boolean {
  return status === 'processing';
}

/** An item as it is now, with the file that it had before its last replacement. */
type CurrentMedia = MediaInput & {
  previous: Omit<MediaInput, 'id' | 'revision' | 'kind'> | null;
};

/** Returns the row with the bytes of `item`; undefined if they are neither its file nor a finished former one. */
function rowOfFile({ previous, ...row }: CurrentMedia, item: MediaInput): MediaInput | undefined {
  if (row.sha256 === item.sha256) return row;
  if (previous?.sha256 !== item.sha256 || previous.status !== 'ready') return undefined;
  const { filename, mime_type, bytes, sha256, width, height, duration, status, variants, placeholder } = previous;
  const file = { filename, mime_type, bytes, sha256, width, height, duration, status, variants, placeholder };
  return { ...item, ...file };
}

/**
 * Returns the same media with the variants made since; failed items are left out. Descriptions and files stay as they
 * are: a build of published content must not show unpublished edits. An item whose file was replaced before its
 * variants were made is left out, because they are never made.
 */
export async function refreshMedia(db: Db, media: readonly MediaInput[]): Promise<MediaInput[]> {
  const open = media.filter(isInProgress).map(({ id }) => id);
  if (open.length === 0) return [...media];
  const rows = await db.query<CurrentMedia>(
    `SELECT ${mediaInputColumns}, previous FROM media WHERE id = ANY($1::UUID[])`,
    [open],
  );
  const now = new Map(rows.map((row) => [row.id, row]));
  return media.flatMap((item) => {
    if (!isInProgress(item)) return [item];
    const current = now.get(item.id);
    const row = current && rowOfFile(current, item);
    if (!row || row.status === 'failed') return [];
    const { alt, decorative, focal_point } = item;
    return [{ ...row, alt, decorative, focal_point, status: row.status!, placeholder: row.placeholder ?? null }];
  });
}

/**
 * Returns whether any of these items is still processing and likely to finish soon. Videos are only waited for while
 * they are new.
 */
async function isWorthWaiting(db: Db, ids: readonly string[], waitMs: number): Promise<boolean> {
  const rows = await db.query(
    `SELECT id FROM media WHERE id = ANY($1::UUID[]) AND status = 'processing'
       AND coalesce(replaced_at, created_at) > now() - (CASE kind WHEN 'video' THEN $2::INT8 ELSE $3::INT8 END) * INTERVAL '1 millisecond' LIMIT 1`,
    [ids, waitMs, waitMs * stuckFactor],
  );
  return rows.length > 0;
}

/**
 * Waits for variants, at most `waitMs`; returns whether it waited. `onTurn` is called after each poll and may throw to
 * stop.
 */
export async function waitForMedia(
  db: Db,
  ids: readonly string[],
  waitMs: number,
  onTurn: () => void,
): Promise<boolean> {
  const end = performance.now() + waitMs;
  let waited = false;
  while (performance.now() < end && (await isWorthWaiting(db, ids, waitMs))) {
    waited = true;
    await sleep(pollMs);
    onTurn();
  }
  return waited;
}
