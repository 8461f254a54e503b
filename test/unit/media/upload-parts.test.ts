import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashBytes } from '../../../services/engines/objects/store.ts';
import { addPart } from '../../../services/features/media/uploads/append.ts';
import type { Part } from '../../../services/features/media/uploads/sql.ts';

/** A store in memory that counts what is written to it. */
function createObjects() {
  const stored = new Map<string, Buffer>();
  let writtenBytes = 0;
  return {
    getBytes: async (hash: string) => stored.get(hash)!,
    async putBytes(data: Buffer) {
      writtenBytes += data.length;
      stored.set(hashBytes(data), data);
      return hashBytes(data);
    },
    written: () => writtenBytes,
  };
}

async function send(pieces: readonly Buffer[]) {
  const objects = createObjects();
  let parts: Part[] = [];
  let most = 0;
  for (const data of pieces) {
    parts = await addPart(objects, parts, { hash: await objects.putBytes(data), bytes: data.length });
    most = Math.max(most, parts.length);
  }
  const joined = Buffer.concat(await Promise.all(parts.map(({ hash }) => objects.getBytes(hash))));
  return { parts, most, joined, written: objects.written() };
}

// rule: threat.6
test('a file that comes a byte at a time has few parts, and each byte of it is written a few times', async () => {
  const bytes = 4096;
  const pieces = Array.from({ length: bytes }, (_, n) => Buffer.of(n % 251));
  const { most, written } = await send(pieces);
  expect(most).toBeLessThanOrEqual(12);
  expect(written).toBeLessThan(bytes * 30);
});

test('whatever sizes the pieces have, the parts are the file, and few', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const pieces = lengths.map((length, n) => Buffer.alloc(length, n));
      const { most, joined } = await send(pieces);
      expect(joined.equals(Buffer.concat(pieces))).toBe(true);
      expect(most).toBeLessThanOrEqual(10);
    }),
    { numRuns: 50 },
  );
});

test('large parts are left as they are', async () => {
  const piece = 700 * 1024;
  const { parts } = await send([Buffer.alloc(piece, 1), Buffer.alloc(piece, 2), Buffer.alloc(piece, 3)]);
  expect(parts.map(({ bytes }) => bytes)).toEqual([piece, piece, piece]);
});
