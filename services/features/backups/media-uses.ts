import { findMediaIds, type MediaPlace } from '../content/index.ts';
import { type Line, type Row, rowsOf } from './lines.ts';

function idsOf(item: Row): [MediaPlace, string[]][] {
  const text = (name: string) => (typeof item[name] === 'string' ? item[name] : '');
  return [
    ['body_html', findMediaIds(text('body_html'))],
    ['featured_media_id', findMediaIds(text('featured_media_id'))],
    ['fields', findMediaIds(text('fields'))],
  ];
}

/**
 * Returns lines with the uses of media items (`content_media`), derived from the items if the lines have no such rows,
 * as in a backup that was made before uses were recorded. Bodies in the object store are not read: their uses follow
 * with their next change.
 */
export function withMediaUses(lines: readonly Line[]): Line[] {
  if (lines.some(([table]) => table === 'content_media')) return [...lines];
  const media = new Set(rowsOf(lines, 'media').map((row) => row['id']));
  const uses = rowsOf(lines, 'content').flatMap((item) =>
    idsOf(item).flatMap(([place, ids]) =>
      ids
        .filter((id) => media.has(id))
        .map(
          (id): Line => ['content_media', { site_id: item['site_id']!, media_id: id, content_id: item['id']!, place }],
        ),
    ),
  );
  return [...lines, ...uses];
}
