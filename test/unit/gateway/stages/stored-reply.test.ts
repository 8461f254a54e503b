import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { Reply } from '../../../../services/core/http.ts';
import { createCipher } from '../../../../services/core/secrets.ts';
import { toWire, type WireReply } from '../../../../services/gateway/envelope.ts';
import { partsOf } from '../../../../services/gateway/large-reply.ts';
import { openReply, sealReply } from '../../../../services/gateway/stages/stored-reply.ts';

const cipher = createCipher([randomBytes(32)]);
const context = 'idempotency:key:/path:k';

/** A store in memory that remembers the longest range that was read. */
function createStore() {
  const stored = new Map<string, Buffer>();
  const longest = { bytes: 0 };
  const placeOf = (hash: string) => ({ hash, key: hash, offset: 0, bytes: stored.get(hash)!.length });
  const objects = {
    async putStream(source: Readable) {
      const data = await buffer(source);
      const hash = createHash('sha256').update(data).digest('hex');
      stored.set(hash, data);
      return { hash, bytes: data.length };
    },
    getBytes: async (hash: string) => stored.get(hash)!,
    locate: async (hashes: readonly string[]) =>
      new Map(hashes.filter((hash) => stored.has(hash)).map((hash) => [hash, placeOf(hash)])),
    async readAt({ key, offset, bytes }: { key: string; offset: number; bytes: number }) {
      longest.bytes = Math.max(longest.bytes, bytes);
      return stored.get(key)!.subarray(offset, offset + bytes);
    },
  };
  return { stored, longest, deps: { objects, cipher } };
}

async function bodyOf({ body, large }: WireReply): Promise<string | null> {
  if (!large) return body === null ? null : body.toString();
  const parts: Buffer[] = [];
  for await (const part of partsOf(large, { hold: async () => undefined })) parts.push(Buffer.from(part as string));
  return Buffer.concat(parts).toString();
}

const record = (chars: number): Reply => ({
  kind: 'record',
  status: 201,
  data: { id: '1', body: 'é"'.repeat(chars / 2) },
  headers: { 'X-Own': 'a' },
});

test.each([10, 150_000, 200_000, 5_000_000])('a reply of %i characters comes back as it was', async (chars) => {
  const { deps } = createStore();
  const wire = toWire(record(chars));
  const stored = await sealReply(deps, wire, context);
  const opened = toWire(await openReply(deps, stored, 201, context));
  expect(await bodyOf(opened)).toBe(await bodyOf(toWire(record(chars))));
  expect(opened.status).toBe(201);
  const { 'Content-Length': _length, ...headers } = opened.headers;
  expect(headers).toEqual(wire.headers);
});

test('a reply without a body comes back without one', async () => {
  const { deps } = createStore();
  const stored = await sealReply(deps, { status: 204, headers: {}, body: null }, context);
  expect(await openReply(deps, stored, 204, context)).toMatchObject({ status: 204, body: null });
});

test('of a large reply nothing is readable in row and store, and it is read in parts', async () => {
  const { deps, stored, longest } = createStore();
  const { reply, reply_hash } = await sealReply(deps, toWire(record(1_000_000)), context);
  expect(reply!.length).toBeLessThan(1_000);
  expect(stored.get(reply_hash!)!.includes('é"é"é"é"')).toBe(false);
  await bodyOf(toWire(await openReply(deps, { reply, reply_hash }, 201, context)));
  expect(longest.bytes).toBeLessThan(256 * 1024);
});

test('a reply opens in its own row alone, and its parts in their order alone', async () => {
  const { deps, stored } = createStore();
  const sealed = await sealReply(deps, toWire(record(2_000_000)), context);
  await expect(openReply(deps, sealed, 201, 'idempotency:other')).rejects.toThrow();
  const data = stored.get(sealed.reply_hash!)!;
  const part = 192 * 1024 + 36;
  const swapped = Buffer.concat([data.subarray(part, 2 * part), data.subarray(0, part), data.subarray(2 * part)]);
  stored.set(sealed.reply_hash!, swapped);
  await expect(bodyOf(toWire(await openReply(deps, sealed, 201, context)))).rejects.toThrow();
});

test('a large reply from before it was stored in parts is still replayed', async () => {
  const { deps, stored } = createStore();
  const whole = {
    headers: { 'Content-Type': 'text/plain', ETag: '"x"' },
    body: Buffer.from('body').toString('base64'),
  };
  stored.set('old', Buffer.from(cipher.encrypt(JSON.stringify(whole), context)));
  expect(await openReply(deps, { reply: null, reply_hash: 'old' }, 200, context)).toEqual({
    kind: 'raw',
    status: 200,
    body: Buffer.from('body'),
    contentType: 'text/plain',
    headers: { ETag: '"x"' },
  });
});
