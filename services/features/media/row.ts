export type MediaKind = 'image' | 'video' | 'file';
export type MediaStatus = 'processing' | 'ready' | 'failed';

/** The next work on an item: the first usable variants, then the slow AVIF ones; or a video's. */
export type MediaWork = 'variants' | 'avif' | 'video';

/** One rendition. `format` is `webp`, `avif`, `jpeg`, `png`, `gif` or `mp4`; `hash` names its bytes. */
export interface Variant {
  format: string;
  width: number;
  height: number;
  bytes: number;
  hash: string;
}

/** From the left and from the top, 0 to 1. */
export interface FocalPoint {
  x: number;
  y: number;
}

/** The progress of the work on an item: finished variants of all planned ones. */
export interface MediaProgress {
  stage: 'queued' | MediaWork | 'done' | 'failed';
  done: number;
  total: number;
}

export interface MediaRow {
  id: string;
  site_id: string;
  kind: MediaKind;
  filename: string;
  mime_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
  alt: string | null;
  decorative: boolean;
  status: MediaStatus;
  /** Why processing failed, for the user. */
  error: string | null;
  variants: Variant[];
  placeholder: string | null;
  focal_point: FocalPoint | null;
  /** Null until the work has started. */
  progress: MediaProgress | null;
  source_url: string | null;
  work: MediaWork | null;
  /** The user who added it; null when no user did, or before this was recorded. */
  created_by: string | null;
  /** No alt text was written: it is the title of the article that the image came with. */
  alt_stand_in: boolean;
  /** What the item was before its file was last replaced. */
  previous: MediaVersion | null;
  replaced_at: Date | null;
  created_at: Date;
  trashed_at: Date | null;
}

/** What a replacement of the file changes. The rest, such as `id` and `created_at`, stays. */
export type MediaVersion = Pick<
  MediaRow,
  | 'filename'
  | 'mime_type'
  | 'bytes'
  | 'sha256'
  | 'width'
  | 'height'
  | 'duration'
  | 'alt'
  | 'alt_stand_in'
  | 'decorative'
  | 'focal_point'
  | 'status'
  | 'error'
  | 'variants'
  | 'placeholder'
  | 'work'
>;

export const mediaColumns = `id, site_id, kind, filename, mime_type, bytes, sha256, width, height, duration, alt, decorative, status,
  error, variants, placeholder, focal_point, progress, source_url, work, created_by, alt_stand_in, previous, replaced_at,
  created_at, trashed_at`;

/** A file that has been stored and identified, but is not in a library yet. */
export interface StoredFile {
  kind: MediaKind;
  filename: string;
  mime_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  work: MediaWork | null;
}
