import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { ObjectSettings } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { withFallback } from './fallback.ts';
import type { ByteRange, KeyedStore, StoredObject } from './keyed-store.ts';
import { MissingObject } from './missing-object.ts';
import { openKeyedStore } from './open.ts';
import { outsideTransactions } from './outside-transactions.ts';
import { isOwnKey, newKey, readKeyPrefix } from './own-keys.ts';
import { planPacks } from './pack.ts';
import { type HashedPlace, insertPlaces, type Place, pinPlaces, selectPlaces } from './places.ts';
import { type StreamLimits, uploadStream } from './stream-upload.ts';

export type { ByteRange, StoredObject } from './keyed-store.ts';
export { MissingObject } from './missing-object.ts';
export type { HashedPlace, Place } from './places.ts';
export type { StreamLimits } from './stream-upload.ts';

const cacheBytes = 32 * 1024 * 1024;
const cachedBlobMaxBytes = 512 * 1024;

/** Returns the SHA-256 of bytes in hex, which names all stored contents. */
export function hashBytes(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** See `openObjectStore`. */
export interface ObjectStore {
  /** Stores bytes unless they are stored already; returns their hash. */
  putBytes(data: Buffer): Promise<string>;
  /** Stores many blobs, the new ones packed into few objects; returns their places in the given order. */
  putMany(blobs: readonly Buffer[]): Promise<HashedPlace[]>;
  /** Stores a stream without ever holding all of it. Throws a Problem `too_large` beyond `maxBytes`. */
  putStream(source: Readable, limits: StreamLimits): Promise<{ hash: string; bytes: number }>;
  /** Returns the bytes of a hash; throws MissingObject. Small blobs come from a bounded memory cache. */
  getBytes(hash: string): Promise<Buffer>;
  /** Returns the bytes of a hash, or a range of them, as a stream; throws MissingObject. */
  getStream(hash: string, range?: ByteRange): Promise<Readable>;
  /** Returns the bytes at a known place (from a manifest), without querying SQL; throws MissingObject. */
  getAt(place: Place, range?: ByteRange): Promise<Readable>;
  readAt(place: Place): Promise<Buffer>;
  /** Returns the places of these hashes, without the absent ones. */
  locate(hashes: readonly string[]): Promise<Map<string, HashedPlace>>;
  has(hash: string): Promise<boolean>;
  /**
   * Pins hashes in the caller's transaction, before it refers to them (design: idea 3), and returns their places;
   * throws MissingObject when one has been collected meanwhile.
   */
  pin(tx: Db, hashes: readonly string[]): Promise<Map<string, HashedPlace>>;
  /** Pins those of these hashes that are stored, and returns their places; the others must be stored again. */
  pinStored(db: Db, hashes: readonly string[]): Promise<Map<string, HashedPlace>>;
  /** The location of the objects, as part of a sentence: `the folder /srv/objects`. */
  readonly place: string;
  /** Creates the bucket or folder. Safe to run again. */
  ensure(): Promise<void>;
  ping(): Promise<void>;
  /**
   * Throws `unavailable` while the disk has too little space for writes, of objects or of a database on the same disk.
   */
  requireSpace(): Promise<void>;
  /** Deletes whole objects of the store; for collection. */
  removeObjects(keys: readonly string[]): Promise<void>;
  /**
   * Yields the objects that only this installation can have stored, since others may share its bucket; for collection.
   */
  listOwnObjects(): AsyncIterable<StoredObject>;
}

/** Converts a range of a blob to a range of the object that contains the blob. */
function rangeOf({ offset, bytes }: Place, { start, end }: ByteRange = { start: 0, end: bytes - 1 }): ByteRange {
  return { start: offset + start, end: offset + Math.min(end, bytes - 1) };
}

async function uploadPacks(
  { stored, db, prefix }: { stored: KeyedStore; db: Db; prefix: string },
  blobs: { hash: string; data: Buffer }[],
) {
  const packs = planPacks(prefix, blobs);
  for (const pack of packs) await stored.put(pack.key, pack.body);
  return insertPlaces(
    db,
    packs.flatMap((pack) => pack.places),
  );
}

/**
 * Opens the configured content-addressed store: bytes are named by their SHA-256 and stored under random keys that
 * begin with the installation's id; the table `objects` maps one to the other. Every method throws a Problem
 * `unavailable` while an engine is down.
 */
export function openObjectStore(settings: ObjectSettings, db: Db): ObjectStore {
  const present = openKeyedStore(settings);
  const stored = settings.fallback ? withFallback(present, settings.fallback, db) : present;
  const cache = new LRUCache<string, Buffer>({ maxSize: cacheBytes, sizeCalculation: (data) => data.length || 1 });

  let prefix: string | undefined;
  /** Returns the prefix of keys; cached, because an installation keeps its id. */
  async function keyPrefix(): Promise<string> {
    prefix ??= await readKeyPrefix(db);
    return prefix;
  }

  function remember(hash: string, data: Buffer): void {
    if (data.length <= cachedBlobMaxBytes) cache.set(hash, data);
  }

  async function putMany(list: readonly Buffer[]): Promise<HashedPlace[]> {
    const blobs = list.map((data) => ({ hash: hashBytes(data), data }));
    const places = await pinPlaces(
      db,
      blobs.map((blob) => blob.hash),
    );
    const missing = new Map(blobs.filter((blob) => !places.has(blob.hash)).map((blob) => [blob.hash, blob]));
    if (missing.size > 0) {
      for (const [hash, place] of await uploadPacks({ stored, db, prefix: await keyPrefix() }, [...missing.values()]))
        places.set(hash, place);
    }
    return blobs.map((blob) => places.get(blob.hash)!);
  }

  function requireFound<T>(found: T | null, { key }: Place): T {
    if (found === null) throw new MissingObject(`The object ${key} is not in the store.`);
    return found;
  }

  async function getAt(place: Place, range?: ByteRange): Promise<Readable> {
    if (place.bytes === 0) return Readable.from([]);
    return requireFound(await stored.getStream(place.key, rangeOf(place, range)), place);
  }

  async function placeOf(hash: string): Promise<HashedPlace> {
    const place = (await selectPlaces(db, [hash])).get(hash);
    if (!place) throw new MissingObject(`Nothing is stored under ${hash}.`);
    return place;
  }

  async function readAt(place: Place): Promise<Buffer> {
    if (place.bytes === 0) return Buffer.alloc(0);
    return requireFound(await stored.get(place.key, rangeOf(place)), place);
  }

  async function putStream(source: Readable, limits: StreamLimits) {
    const { hash, bytes, held, key } = await uploadStream(
      { stored, key: newKey(await keyPrefix(), 'blobs') },
      source,
      limits,
    );
    if (held) {
      await putMany([held]);
    } else if (key) {
      const found = await pinPlaces(db, [hash]);
      const place = found.get(hash) ?? (await insertPlaces(db, [{ hash, key, offset: 0, bytes }])).get(hash);
      if (place?.key !== key) await stored.remove([key]);
    }
    return { hash, bytes };
  }

  return outsideTransactions({
    putMany,
    putStream,
    getAt,
    readAt,
    async putBytes(data) {
      const [place] = await putMany([data]);
      return place!.hash;
    },
    async getBytes(hash) {
      const cached = cache.get(hash);
      if (cached) return cached;
      const data = await readAt(await placeOf(hash));
      remember(hash, data);
      return data;
    },
    async getStream(hash, range) {
      return getAt(await placeOf(hash), range);
    },
    locate: (hashes) => selectPlaces(db, hashes),
    async has(hash) {
      return (await selectPlaces(db, [hash])).size > 0;
    },
    async pin(tx, hashes) {
      const found = await pinPlaces(tx, hashes);
      const lost = hashes.find((hash) => !found.has(hash));
      if (lost) throw new MissingObject(`Nothing is stored under ${lost}.`);
      return found;
    },
    pinStored: pinPlaces,
    place: stored.place,
    ensure: stored.ensure,
    async ping() {
      await stored.ping();
    },
    requireSpace: stored.requireSpace,
    removeObjects: stored.remove,
    async *listOwnObjects() {
      const own = await keyPrefix();
      for await (const object of stored.list(own)) if (isOwnKey(own, object.key)) yield object;
    },
  });
}
