import { newKey } from './own-keys.ts';
import type { HashedPlace } from './places.ts';

/** Maximum size of a pack, unless a single blob is larger. One PUT each, since the cost per object dominates. */
export const packBytes = 8 * 1024 * 1024;

export interface Blob {
  hash: string;
  data: Buffer;
}

export interface Pack {
  key: string;
  body: Buffer;
  places: HashedPlace[];
}

function sealPack(prefix: string, blobs: readonly Blob[]): Pack {
  const key = newKey(prefix, 'packs');
  let offset = 0;
  const places = blobs.map(({ hash, data }) => {
    const place = { hash, key, offset, bytes: data.length };
    offset += data.length;
    return place;
  });
  return { key, body: Buffer.concat(blobs.map((blob) => blob.data)), places };
}

/** Packs blobs into as few objects as the pack size allows, in the given order. Keys begin with `prefix`. */
export function planPacks(prefix: string, blobs: readonly Blob[], maxBytes = packBytes): Pack[] {
  const packs: Pack[] = [];
  let open: Blob[] = [];
  let bytes = 0;
  for (const blob of blobs) {
    if (open.length > 0 && bytes + blob.data.length > maxBytes) {
      packs.push(sealPack(prefix, open));
      open = [];
      bytes = 0;
    }
    open.push(blob);
    bytes += blob.data.length;
  }
  if (open.length > 0) packs.push(sealPack(prefix, open));
  return packs;
}
