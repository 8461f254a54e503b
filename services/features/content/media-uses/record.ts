import type { ContentRow } from '../row.ts';
import { sameJson } from '../same-json.ts';
import type { ContentScope } from '../scope.ts';
import { findMediaIds } from './find-ids.ts';
import { deleteMediaUses, insertMediaUses, type MediaPlace } from './sql.ts';

type Places = Pick<ContentRow, 'featured_media_id' | 'fields'>;

/** What a request writes: the ids in its body, if it has one, and the other members that can name media items. */
type WrittenPlaces = { bodyIds: readonly string[] | undefined } & {
  [place in keyof Places]?: Places[place] | undefined;
};

/**
 * Records which media items an item names in the places that a request writes, in the transaction that wrote it.
 * `before` is the row before the update. A place that is written with its former value is recorded too, because what
 * was recorded before may be incomplete (decision 331).
 */
export async function recordMediaUses(
  { db, site }: Pick<ContentScope, 'db' | 'site'>,
  row: ContentRow,
  { bodyIds, ...written }: WrittenPlaces,
  before?: ContentRow,
): Promise<void> {
  const isWritten = (place: keyof Places) =>
    !before || written[place] !== undefined || !sameJson(row[place], before[place]);
  const { featured_media_id: imageId, fields } = row;
  const places: [MediaPlace, readonly string[]][] = [];
  if (bodyIds) places.push(['body_html', bodyIds]);
  if (isWritten('featured_media_id')) places.push(['featured_media_id', imageId === null ? [] : [imageId]]);
  if (isWritten('fields')) places.push(['fields', findMediaIds(JSON.stringify(fields))]);
  for (const [place, ids] of places) {
    if (before) await deleteMediaUses(db, row.id, place);
    if (ids.length > 0) await insertMediaUses(db, site.id, row.id, place, ids);
  }
}
