import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Db, SqlValue } from '../../../../services/core/db.ts';
import { ok, type Reply, raw } from '../../../../services/core/reply.ts';
import { createCipher } from '../../../../services/core/secrets.ts';
import { largeText } from '../../../../services/engines/objects/large-text.ts';
import type { ObjectStore } from '../../../../services/engines/objects/store.ts';
import { partsOf } from '../../../../services/gateway/large-reply.ts';
import type { StoredReply } from '../../../../services/gateway/stages/idempotency-sql.ts';
import { openReply, sealReply } from '../../../../services/gateway/stages/stored-reply.ts';

const identity = { apiKeyId: 'key', method: 'POST', path: '/path', key: 'k' };
const hash = 'a'.repeat(64);

/** Creates stores for the parts of replies, and one object. */
function createStores(object = '') {
  const rows = new Map<SqlValue, Buffer>();
  const pinned: string[] = [];
  const db: Db = {
    async query<Row>(sql: string, params: readonly SqlValue[] = []) {
      if (sql.startsWith('INSERT')) rows.set(params[4]!, params[5] as Buffer);
      const sealed = rows.get(params[4]!);
      return (sealed ? [{ sealed }] : []) as Row[];
    },
  };
  const bytes = Buffer.from(object);
  const objects = {
    locate: async () => new Map([[hash, { hash, key: 'o', offset: 0, bytes: bytes.length }]]),
    readAt: async ({ offset, bytes: length }) => bytes.subarray(offset, offset + length),
    getBytes: async () => bytes,
    pin: async (_tx, hashes) => {
      pinned.push(...hashes);
      return new Map();
    },
  } as Pick<ObjectStore, 'locate' | 'readAt' | 'getBytes' | 'pin'> as ObjectStore;
  const deps = { objects, cipher: createCipher([randomBytes(32)]) };
  return {
    rows,
    pinned,
    deps,
    seal: (reply: Reply) => sealReply(deps, db, identity, reply),
    open: (stored: StoredReply, at = identity) =>
      openReply(deps, db, at, { ...stored, status: 201 }, { 'X-More': 'm' }),
  };
}

async function textOf({ bytes, large }: Reply): Promise<string | null> {
  if (!large) return bytes?.toString() ?? null;
  const parts: Buffer[] = [];
  for await (const part of partsOf(large, { hold: async () => undefined })) parts.push(Buffer.from(part as string));
  return Buffer.concat(parts).toString();
}

test.each([10, 150_000, 3_000_000])('a reply of %i characters comes back as it was', async (chars) => {
  const { seal, open } = createStores();
  const reply = () => ok({ id: '1', results: Array.from({ length: 20 }, () => 'é"'.repeat(chars / 40)) });
  const opened = await open(await seal(reply()));
  expect(opened.status).toBe(201);
  expect(await textOf(opened)).toBe(await textOf(reply()));
  expect(opened.headers).toEqual({ ...reply().headers, 'X-More': 'm' });
});

test('a reply without a body comes back without one', async () => {
  const { seal, open } = createStores();
  expect((await open(await seal(raw(204, null, {})))).bytes).toBeNull();
});

// rule: threat.19
test('a large text is not stored once more: its object is kept and shown again', async () => {
  const { seal, open, pinned, rows, deps } = createStores('<p class="a">é</p>'.repeat(100_000));
  const reply = () => ok({ id: '1', body: largeText(deps.objects, hash), title: 'T' });
  const stored = await seal(reply());
  expect([stored.reply_hash, pinned, rows.size, stored.reply!.length < 2_000]).toEqual([hash, [hash], 0, true]);
  const opened = await open(stored);
  expect(await textOf(opened)).toBe(await textOf(reply()));
  expect(opened.headers).toEqual({ ...reply().headers, 'X-More': 'm' });
});

// rule: threat.19
test('long text has rows of its own, of which none is long or readable', async () => {
  const { seal, rows } = createStores();
  const { reply } = await seal(ok({ results: Array.from({ length: 40 }, () => 'word '.repeat(20_000)) }));
  expect([reply!.length < 400_000, rows.size > 5]).toEqual([true, true]);
  for (const sealed of rows.values()) {
    expect(sealed.length).toBeLessThan(512 * 1024);
    expect(sealed.includes('word')).toBe(false);
  }
});

test('a reply opens in its own row alone, and its parts in their place alone', async () => {
  const { seal, open, rows } = createStores();
  const stored = await seal(ok({ results: Array.from({ length: 40 }, () => 'word '.repeat(20_000)) }));
  await expect(open(stored, { ...identity, key: 'other' })).rejects.toThrow();
  rows.set(0, rows.get(1)!);
  await expect(textOf(await open(stored))).rejects.toThrow();
});

test('a reply from before lies in the object store, and is still replayed', async () => {
  const whole = { headers: { ETag: '"x"' }, body: Buffer.from('body').toString('base64') };
  const { deps, open } = createStores();
  const sealed = deps.cipher.encrypt(JSON.stringify(whole), 'idempotency:key:/path:k');
  deps.objects.getBytes = async () => Buffer.from(sealed);
  const opened = await open({ reply: null, reply_hash: 'old' });
  expect([String(opened.bytes), opened.headers]).toEqual(['body', { ETag: '"x"', 'X-More': 'm' }]);
});
