import type { Config } from '../../core/config.ts';
import { originalUrl, variantUrl } from '../../core/media-paths.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { MediaRow } from './row.ts';

/**
 * Returns the API record of an item (contract: Records). Optional members: `focal_point` if one was set, `alt_stand_in` if no alt text was written, `previous` after a replacement, `progress`
 * while variants are being made, `error` on a failed item.
 */
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
    status: row.status,
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
    ...(row.alt_stand_in ? { alt_stand_in: true as const } : {}),
    ...(row.previous
      ? {
          previous: {
            filename: row.previous.filename,
            mime_type: row.previous.mime_type,
            bytes: row.previous.bytes,
            sha256: row.previous.sha256,
            replaced_at: formatTimestamp(row.replaced_at!),
          },
        }
      : {}),
    ...(row.focal_point ? { focal_point: row.focal_point } : {}),
    ...(row.work && row.progress ? { progress: row.progress } : {}),
    ...(row.status === 'failed' ? { error: { message: row.error ?? 'The file could not be processed.' } } : {}),
  };
}
