export type MediaKind = 'image' | 'video' | 'file';
export type MediaStatus = 'processing' | 'ready' | 'failed';

/** What a worker has still to do: the first usable variants, then the slow AVIF ones; or a video's. */
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

/** How far the work on an item has come: variants that are there, of those that there will be. */
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
  /** Null until the work has begun. */
  progress: MediaProgress | null;
  source_url: string | null;
  work: MediaWork | null;
  /** The user who brought it; null when no user did, or before this was recorded. */
  created_by: string | null;
  created_at: Date;
  trashed_at: Date | null;
}

export const mediaColumns = `id, site_id, kind, filename, mime_type, bytes, sha256, width, height, duration, alt, decorative, status,
  error, variants, placeholder, focal_point, progress, source_url, work, created_by, created_at, trashed_at`;

/** A file that lies in the object store and has been looked at, but is in no library yet. */
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
