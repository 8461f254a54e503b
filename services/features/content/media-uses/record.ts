import type { ContentRow } from '../row.ts';
import { sameJson } from '../same-json.ts';
import type { ContentScope } from '../scope.ts';
import { findMediaIds } from './find-ids.ts';
import { deleteMediaUses, insertMediaUses, type MediaPlace } from './sql.ts';

const idsOfFields = ({ fields }: Pick<ContentRow, 'fields'>) => findMediaIds(JSON.stringify(fields));
const idsOfImage = ({ featured_media_id: id }: Pick<ContentRow, 'featured_media_id'>) => (id === null ? [] : [id]);

/** What an item may name in a place; null for a body in the object store, which is not read. */
function idsBefore(row: ContentRow | undefined, place: MediaPlace): string[] | null {
  if (!row) return [];
  if (place === 'fields') return idsOfFields(row);
  if (place === 'featured_media_id') return idsOfImage(row);
  return row.body_hash ? null : findMediaIds(row.body_html);
}

/**
 * Records which media items an item names, in the transaction that wrote it. `bodyIds` is undefined if the body did not change; `before`
 * is the row before the update.
 */
export async function recordMediaUses(
  { db, site }: Pick<ContentScope, 'db' | 'site'>,
  row: ContentRow,
  bodyIds: readonly string[] | undefined,
  before?: ContentRow,
): Promise<void> {
  const now: Record<MediaPlace, readonly string[] | undefined> = {
    body_html: bodyIds,
    featured_media_id: idsOfImage(row),
    fields: idsOfFields(row),
  };
  for (const [place, ids] of Object.entries(now) as [MediaPlace, readonly string[] | undefined][]) {
    const known = idsBefore(before, place);
    if (!ids || sameJson(ids, known)) continue;
    if (known?.length !== 0) await deleteMediaUses(db, row.id, place);
    if (ids.length > 0) await insertMediaUses(db, site.id, row.id, place, ids);
  }
}
