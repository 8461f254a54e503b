import type { Config } from '../../core/config.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { MediaProgress, MediaRow } from './row.ts';
import { originalUrl, variantUrl } from './urls.ts';

function progressOf({ status, work, variants, progress }: MediaRow): MediaProgress {
  const there = variants.length;
  if (status === 'failed') return { stage: 'failed', done: there, total: Math.max(there, progress?.total ?? 0) };
  if (!work) return { stage: 'done', done: there, total: there };
  return progress ?? { stage: 'queued', done: there, total: there };
}

/** The record of an item (contract: Records). `error` says why, on an item that failed, and is absent otherwise. */
export function presentMedia(config: Pick<Config, 'edgeUrl'>, row: MediaRow) {
  return {
    id: row.id,
    kind: row.kind,
    filename: row.filename,
    mime_type: row.mime_type,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    duration: row.duration,
    alt: row.alt,
    decorative: row.decorative,
    focal_point: row.focal_point,
    status: row.status,
    progress: progressOf(row),
    url: originalUrl(config, row),
    variants: row.variants.map((variant) => ({
      format: variant.format,
      width: variant.width,
      height: variant.height,
      bytes: variant.bytes,
      url: variantUrl(config, row.id, variant),
    })),
    source_url: row.source_url,
    sha256: row.sha256,
    created_at: formatTimestamp(row.created_at),
    trashed_at: row.trashed_at ? formatTimestamp(row.trashed_at) : null,
    ...(row.status === 'failed' ? { error: { message: row.error ?? 'The file could not be processed.' } } : {}),
  };
}
