import type { MediaTask } from '../../../workflows/contracts/media.ts';
import type { Db } from '../../core/db.ts';
import {
  type FocalPoint,
  type MediaProgress,
  type MediaRow,
  type MediaStatus,
  type MediaVersion,
  type MediaWork,
  mediaColumns,
  type StoredFile,
  type Variant,
} from './row.ts';

/**
 * The states of a media item, as conditions on its row; each row meets exactly one. The API shows `status`. No other file writes the
 * columns `status`, `work`, `progress` and `error` (test/unit/checks/state-columns.test.ts).
 */
export const mediaStates = {
  /** Not usable yet: `work` must be done first. */
  processing: `status = 'processing'`,
  /** Usable, but the AVIF variants are still to be made. */
  refining: `status = 'ready' AND work IS NOT NULL`,
  ready: `status = 'ready' AND work IS NULL`,
  failed: `status = 'failed'`,
} as const;

export type MediaState = keyof typeof mediaStates;

interface Transition {
  /** `none`: the item does not exist yet. */
  from: readonly (MediaState | 'none')[];
  to: readonly MediaState[];
}

/**
 * Every transition, by the name of the function that makes it with one statement. Each compares the piece of work that
 * it ends or reports, which only `processing` and `refining` have, and returns whether it changed the item.
 */
export const mediaTransitions = {
  insertMedia: { from: ['none'], to: ['processing', 'ready'] },
  noteProgress: { from: ['processing', 'refining'], to: ['processing', 'refining'] },
  saveWork: { from: ['processing', 'refining'], to: ['processing', 'refining', 'ready'] },
  /** The new file brings its own state. */
  replaceVersion: {
    from: ['processing', 'refining', 'ready', 'failed'],
    to: ['processing', 'refining', 'ready', 'failed'],
  },
  /** A usable item stays usable, without the missing variants. */
  failWork: { from: ['processing', 'refining'], to: ['failed', 'ready'] },
} as const satisfies Record<string, Transition>;

export interface NewMedia extends StoredFile {
  siteId: string;
  alt: string | null;
  decorative: boolean;
  focalPoint: FocalPoint | null;
  sourceUrl: string | null;
  createdBy: string | null;
  altStandIn?: boolean;
}

/** Work on an item with the file that it is done on, which may be replaced meanwhile. */
export type FileTask = MediaTask & Pick<MediaRow, 'sha256'>;

/** `none` → `processing`, or `ready` when it needs no work. */
export async function insertMedia(db: Db, media: NewMedia): Promise<MediaRow> {
  const rows = await db.query<MediaRow>(
    `INSERT INTO media (site_id, kind, filename, mime_type, bytes, sha256, width, height, alt, decorative, status, variants, source_url, work,
       focal_point, created_by, alt_stand_in, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '[]'::JSONB, $12, $13, $14::JSONB, $15, $16, clock_timestamp())
     RETURNING ${mediaColumns}`,
    [
      media.siteId,
      media.kind,
      media.filename,
      media.mime_type,
      media.bytes,
      media.sha256,
      media.width,
      media.height,
      media.alt,
      media.decorative,
      media.work ? 'processing' : 'ready',
      media.sourceUrl,
      media.work,
      media.focalPoint ? JSON.stringify(media.focalPoint) : null,
      media.createdBy,
      media.altStandIn ?? false,
    ],
  );
  return rows[0]!;
}

/** The result of a piece of work. */
export interface Outcome {
  variants: readonly Variant[];
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number | null;
  placeholder?: string | null;
  progress: MediaProgress;
  /** The next piece of work. */
  next: MediaWork | null;
  status: Exclude<MediaStatus, 'failed'>;
}

/**
 * Ends a piece of work: `processing` or `refining` → `ready` when there is no next one, otherwise `refining` or
 * `processing`, by the outcome. Returns false when the item was deleted, has another file, or does not wait for this work,
 * because another worker was first.
 */
export async function saveWork(db: Db, { id, work, sha256 }: FileTask, outcome: Outcome): Promise<boolean> {
  const { variants, width, height, duration, placeholder, progress, next, status } = outcome;
  const rows = await db.query(
    `UPDATE media SET variants = $3::JSONB, width = COALESCE($4::INT8, width), height = COALESCE($5::INT8, height),
         duration = COALESCE($6::FLOAT8, duration), placeholder = COALESCE($7::TEXT, placeholder), work = $8,
         status = $9, progress = $10::JSONB, error = NULL, revision = revision + 1, updated_at = clock_timestamp()
       WHERE id = $1 AND work = $2 AND sha256 = $11 RETURNING id`,
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
      sha256,
    ],
  );
  return rows.length > 0;
}

/** Stores the progress of the work; the state does not change. Returns false as in `saveWork`. */
export async function noteProgress(db: Db, { id, work, sha256 }: FileTask, progress: MediaProgress): Promise<boolean> {
  const rows = await db.query(
    'UPDATE media SET progress = $3::JSONB WHERE id = $1 AND work = $2 AND sha256 = $4 RETURNING id',
    [id, work, JSON.stringify(progress), sha256],
  );
  return rows.length > 0;
}

/** Gives the work up: `processing` → `failed`, `refining` → `ready`. Returns false as in `saveWork`. */
export async function failWork(db: Db, { id, work, sha256 }: FileTask, reason: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE media SET status = (CASE status WHEN 'ready' THEN 'ready' ELSE 'failed' END), error = $3, work = NULL,
       revision = revision + 1, updated_at = clock_timestamp()
     WHERE id = $1 AND work = $2 AND sha256 = $4 RETURNING id`,
    [id, work, reason, sha256],
  );
  return rows.length > 0;
}

/** Gives an item outside the trash another file and description: any state → that of `next`. `previous` is kept to undo it. */
export async function replaceVersion(
  db: Db,
  { id, site_id }: Pick<MediaRow, 'id' | 'site_id'>,
  next: MediaVersion,
  previous: MediaVersion | null,
): Promise<MediaRow | undefined> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const rows = await db.query<MediaRow>(
    `UPDATE media SET filename = $3, mime_type = $4, bytes = $5, sha256 = $6, width = $7::INT8, height = $8::INT8, duration = $9::FLOAT8,
       alt = $10, alt_stand_in = $11, decorative = $12, focal_point = $13::JSONB, status = $14, error = $15, variants = $16::JSONB,
       placeholder = $17, work = $18, previous = $19::JSONB, progress = NULL, revision = revision + 1,
       replaced_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL RETURNING ${mediaColumns}`,
    [
      id,
      site_id,
      next.filename,
      next.mime_type,
      next.bytes,
      next.sha256,
      next.width,
      next.height,
      next.duration,
      next.alt,
      next.alt_stand_in,
      next.decorative,
      json(next.focal_point),
      next.status,
      next.error,
      JSON.stringify(next.variants),
      next.placeholder,
      next.work,
      json(previous),
    ],
  );
  return rows[0];
}
