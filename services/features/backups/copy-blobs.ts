import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import { type HashedPlace, hashBytes, type ObjectStore } from '../../engines/objects/store.ts';
import { BackupDamaged, type BlobPlace, openBlob, packPrefix } from './archive.ts';

/** Smaller blobs share objects, since the cost per object dominates. */
const smallBytes = 1024 * 1024;
const packBytes = 8 * 1024 * 1024;

/** Passes bytes on and compares their hash at the end. */
async function* checked(source: AsyncIterable<Buffer>, hash: string, what: string): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  for await (const chunk of source) {
    sum.update(chunk);
    yield chunk;
  }
  if (sum.digest('hex') !== hash) throw new BackupDamaged(`${what} ${hash} does not match its bytes.`);
}

/** Packs small blobs into objects of up to `packBytes`. */
function createPacker(bucket: KeyedStore, siteId: string, places: Map<string, BlobPlace>) {
  let open: { hash: string; data: Buffer }[] = [];
  let bytes = 0;
  async function seal(): Promise<void> {
    if (open.length === 0) return;
    const key = packPrefix(siteId) + randomUUID();
    await bucket.put(key, Buffer.concat(open.map(({ data }) => data)));
    let offset = 0;
    for (const { hash, data } of open) {
      places.set(hash, { key, offset, bytes: data.length });
      offset += data.length;
    }
    open = [];
    bytes = 0;
  }
  return {
    seal,
    async add(hash: string, data: Buffer): Promise<void> {
      if (bytes + data.length > packBytes) await seal();
      open.push({ hash, data });
      bytes += data.length;
    },
  };
}

/**
 * Copies blobs from the store to the bucket, checks each meanwhile, and returns their places there. Throws
 * BackupDamaged when the bytes in the store do not match their hash.
 */
export async function copyToBucket(
  objects: ObjectStore,
  bucket: KeyedStore,
  siteId: string,
  blobs: readonly HashedPlace[],
  signal?: AbortSignal,
): Promise<Map<string, BlobPlace>> {
  const places = new Map<string, BlobPlace>();
  const packer = createPacker(bucket, siteId, places);
  for (const blob of blobs) {
    signal?.throwIfAborted();
    const { hash, bytes } = blob;
    if (bytes <= smallBytes) {
      const data = await objects.readAt(blob);
      if (hashBytes(data) !== hash) throw new BackupDamaged(`The stored object ${hash} does not match its bytes.`);
      await packer.add(hash, data);
      continue;
    }
    const key = packPrefix(siteId) + randomUUID();
    const stream = Readable.from(checked(await objects.getAt(blob), hash, 'The stored object'), { objectMode: false });
    await bucket.putStream(key, stream, { bytes });
    places.set(hash, { key, offset: 0, bytes });
  }
  await packer.seal();
  return places;
}

/** Copies blobs back to the store and checks each. Throws BackupDamaged. */
export async function copyFromBucket(
  bucket: KeyedStore,
  objects: ObjectStore,
  blobs: readonly (readonly [hash: string, place: BlobPlace])[],
): Promise<void> {
  let held: Buffer[] = [];
  let bytes = 0;
  async function flush() {
    if (held.length > 0) await objects.putMany(held);
    held = [];
    bytes = 0;
  }
  for (const [hash, place] of blobs) {
    const stream = checked(await openBlob(bucket, place), hash, 'The backed-up object');
    if (place.bytes > smallBytes) {
      await objects.putStream(Readable.from(stream, { objectMode: false }), {
        maxBytes: place.bytes,
        minBytes: place.bytes,
      });
      continue;
    }
    held.push(await buffer(stream));
    bytes += place.bytes;
    if (bytes > packBytes) await flush();
  }
  await flush();
}

/** Reads every blob and compares its hash. Throws BackupDamaged. */
export async function checkBlobs(bucket: KeyedStore, places: ReadonlyMap<string, BlobPlace>): Promise<void> {
  for (const [hash, place] of places) {
    let bytes = 0;
    for await (const chunk of checked(await openBlob(bucket, place), hash, 'The backed-up object'))
      bytes += chunk.length;
    if (bytes !== place.bytes) throw new BackupDamaged(`The backed-up object ${hash} is incomplete.`);
  }
}
