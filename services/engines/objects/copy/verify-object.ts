import { createHash } from 'node:crypto';
import type { KeyedStore } from '../keyed-store.ts';
import type { HashedPlace } from '../places.ts';

/** Hashes one blob while the bytes of its object pass by. */
function watchBlob({ hash, offset, bytes }: HashedPlace) {
  const sum = createHash('sha256');
  const end = offset + bytes;
  return {
    hash,
    offset,
    end,
    /** Hashes the part of a chunk, which starts at `at`, that belongs to the blob. */
    take(chunk: Buffer, at: number): void {
      sum.update(chunk.subarray(Math.max(0, offset - at), Math.max(0, end - at)));
    },
    isWhole: () => sum.digest('hex') === hash,
  };
}

/**
 * Reads an object once, in constant memory, and compares every blob in it with its hash. `blobs` are ordered by offset.
 * Returns the hashes that do not match; all of them if the object is not found.
 */
export async function findDamaged(store: KeyedStore, key: string, blobs: readonly HashedPlace[]): Promise<string[]> {
  const stream = await store.getStream(key);
  if (!stream) return blobs.map(({ hash }) => hash);
  const damaged: string[] = [];
  let next = 0;
  let open: ReturnType<typeof watchBlob>[] = [];
  let at = 0;
  const close = (upTo: number) => {
    damaged.push(...open.filter((blob) => blob.end <= upTo && !blob.isWhole()).map(({ hash }) => hash));
    open = open.filter((blob) => blob.end > upTo);
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const end = at + chunk.length;
    for (; next < blobs.length && blobs[next]!.offset < end; next++) open.push(watchBlob(blobs[next]!));
    for (const blob of open) blob.take(chunk, at);
    close(end);
    at = end;
  }
  // a truncated object leaves some blobs open and others unseen; an empty blob needs no bytes
  const unseen = blobs.slice(next).map(watchBlob);
  for (const blob of [...open, ...unseen]) if (!blob.isWhole() || blob.end > at) damaged.push(blob.hash);
  return damaged;
}
