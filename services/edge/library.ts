import type { Db } from '../core/db.ts';
import { edgeFreshMs } from '../core/edge-freshness.ts';
import { variantType } from '../core/media-paths.ts';
import { selectPlaces } from '../engines/objects/places.ts';
import { createFreshCache } from './fresh-cache.ts';
import type { StoredFile } from './sites.ts';

/** The columns that determine the files of a media item. */
interface ItemRow {
  id: string;
  sha256: string;
  mime_type: string;
  variants: { format: string; hash: string }[];
}

const maxEntries = 10_000;
const idLength = 36;

async function selectItems(db: Db, ids: string[]): Promise<ItemRow[]> {
  return db.query<ItemRow>(
    'SELECT id, sha256, mime_type, variants FROM media WHERE id = ANY($1::UUID[]) AND trashed_at IS NULL',
    [ids],
  );
}

/** Returns the file of an item whose hash starts with `hashStart`; the original first. */
function findFile(item: ItemRow, hashStart: string): { hash: string; type: string } | undefined {
  if (item.sha256.startsWith(hashStart)) return { hash: item.sha256, type: item.mime_type };
  const variant = item.variants.find(({ hash }) => hash.startsWith(hashStart));
  return variant && { hash: variant.hash, type: variantType(variant.format) };
}

export type LibraryDirectory = ReturnType<typeof createLibraryDirectory>;

/** Creates lookups of library files in SQL, cached like those of sites. They reject with SourceUnavailable. */
export function createLibraryDirectory(db: Db, onFailure: (error: unknown) => void) {
  const files = createFreshCache<StoredFile>({
    freshMs: edgeFreshMs,
    maxEntries,
    onFailure,
    async load(keys) {
      const ids = [...new Set(keys.map((key) => key.slice(0, idLength)))];
      const items = new Map((await selectItems(db, ids)).map((item) => [item.id, item]));
      const wanted = keys.flatMap((key) => {
        const item = items.get(key.slice(0, idLength));
        const file = item && findFile(item, key.slice(idLength));
        return file ? [{ key, ...file }] : [];
      });
      const places = await selectPlaces(
        db,
        wanted.map(({ hash }) => hash),
      );
      const found = new Map<string, StoredFile>();
      for (const { key, hash, type } of wanted) {
        const place = places.get(hash);
        if (place) found.set(key, { ...place, type });
      }
      return found;
    },
  });
  return {
    /** Returns the file of item `id`, original or variant, whose hash starts with `hashStart`; null when not found. */
    file: (id: string, hashStart: string) => files.get(id + hashStart),
  };
}
