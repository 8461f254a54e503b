import type { Db } from '../../core/db.ts';

/** The location of a hash's bytes: an object of the store and a range in it (many small blobs share one object). */
export interface Place {
  key: string;
  offset: number;
  bytes: number;
}

export interface HashedPlace extends Place {
  hash: string;
}

interface PlaceRow {
  hash: string;
  bytes: number;
  object_key: string;
  object_offset: number;
}

/** A pin younger than this is not written again; collection waits far longer (see collect.ts). */
const pinFreshMinutes = 10;

function toPlace(row: PlaceRow): HashedPlace {
  return { hash: row.hash, key: row.object_key, offset: row.object_offset, bytes: row.bytes };
}

/** Returns the places of those hashes that are stored. */
export async function selectPlaces(db: Db, hashes: readonly string[]): Promise<Map<string, HashedPlace>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.query<PlaceRow>(
    'SELECT hash, bytes, object_key, object_offset FROM objects WHERE hash = ANY($1::TEXT[])',
    [hashes],
  );
  return new Map(rows.map((row) => [row.hash, toPlace(row)]));
}

/**
 * Pins stored hashes that the caller is going to refer to, so that collection keeps them. Returns the places of those
 * that are present (a hash deleted meanwhile is absent and must be stored again).
 */
export async function pinPlaces(db: Db, hashes: readonly string[]): Promise<Map<string, HashedPlace>> {
  const unique = [...new Set(hashes)].sort();
  if (unique.length === 0) return new Map();
  const rows = await db.query<PlaceRow & { fresh: boolean }>(
    `SELECT hash, bytes, object_key, object_offset,
       condemned_at IS NULL AND pinned_at > now() - $2::INT8 * INTERVAL '1 minute' AS fresh
     FROM objects WHERE hash = ANY($1::TEXT[])`,
    [unique, pinFreshMinutes],
  );
  const found = new Map(rows.map((row) => [row.hash, toPlace(row)]));
  const stale = rows.filter((row) => !row.fresh).map((row) => row.hash);
  if (stale.length === 0) return found;
  const pinned = await db.query<{ hash: string }>(
    'UPDATE objects SET pinned_at = now(), condemned_at = NULL WHERE hash = ANY($1::TEXT[]) RETURNING hash',
    [stale],
  );
  const kept = new Set(pinned.map((row) => row.hash));
  for (const hash of stale) if (!kept.has(hash)) found.delete(hash);
  return found;
}

/** Records the places of new bytes; if another writer was first, its places are kept. Returns the places in effect. */
export async function insertPlaces(db: Db, places: readonly HashedPlace[]): Promise<Map<string, HashedPlace>> {
  const sorted = [...places].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const rows = await db.query<PlaceRow>(
    `INSERT INTO objects (hash, bytes, object_key, object_offset)
     SELECT u.hash, u.bytes, u.object_key, u.object_offset
     FROM unnest($1::TEXT[], $2::INT8[], $3::TEXT[], $4::INT8[]) AS u (hash, bytes, object_key, object_offset)
     ON CONFLICT (hash) DO UPDATE SET pinned_at = now(), condemned_at = NULL
     RETURNING hash, bytes, object_key, object_offset`,
    [
      sorted.map((place) => place.hash),
      sorted.map((place) => place.bytes),
      sorted.map((place) => place.key),
      sorted.map((place) => place.offset),
    ],
  );
  return new Map(rows.map((row) => [row.hash, toPlace(row)]));
}
