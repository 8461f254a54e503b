import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../../../services/gateway/context.ts';
import { readBody } from '../../../../services/gateway/stages/body.ts';
import { jsonMaxBytes, readBytes } from '../../../../services/gateway/stages/read-bytes.ts';

interface Sent {
  data?: Buffer | null;
  headers?: Record<string, string>;
  body?: object;
  timeoutMs?: number;
}

function contextOf({
  data = Buffer.alloc(0),
  headers = {},
  body = { kind: 'json' },
  timeoutMs = 60_000,
}: Sent): Context {
  const req = Object.assign(new PassThrough(), { headers });
  if (data) req.end(data);
  let continued = 0;
  const res = Object.assign(new EventEmitter(), { writeContinue: () => continued++, continued: () => continued });
  const app = { config: { bodyTimeoutMs: timeoutMs, bodyMemoryBytes: 64 * 1024 * 1024 } };
  return {
    req: req as unknown as IncomingMessage,
    res: res as unknown as ServerResponse,
    app,
    route: { body },
    caller: { id: 'key' },
  } as unknown as Context;
}
const read = async (sent: Sent) => {
  const ctx = contextOf(sent);
  await readBody(ctx);
  return ctx;
};
const json = Buffer.from('{"a":1}');

describe('a JSON body', () => {
  test.each([{}, { 'content-type': 'application/json' }, { 'content-type': ' Application/JSON ; charset=utf-8' }])(
    'is read with the headers %j',
    async (headers) => {
      const ctx = await read({ data: json, headers: headers as Record<string, string> });
      expect(ctx.body).toEqual({ a: 1 });
      expect(ctx.bodyHash).toBe(createHash('sha256').update(json).digest('hex'));
    },
  );

  test.each(['text/plain', 'application/jsonx', 'multipart/form-data'])('of type %s is 415', async (type) => {
    await expect(read({ data: json, headers: { 'content-type': type } })).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  });

  test('may have 4 MiB, announced or not, and no byte more', async () => {
    const exactly = Buffer.from(`{"a":"${'x'.repeat(jsonMaxBytes - 8)}"}`);
    expect(exactly).toHaveLength(jsonMaxBytes);
    expect((await read({ data: exactly, headers: { 'content-length': String(exactly.length) } })).body).toBeDefined();
    const more = Buffer.concat([exactly, Buffer.from(' ')]);
    await expect(read({ data: more })).rejects.toMatchObject({ code: 'too_large' });
    const announced = { 'content-length': String(more.length) };
    await expect(read({ data: null, headers: announced })).rejects.toMatchObject({ code: 'too_large' });
  });

  test('that stops coming is 408, and the connection ends', async () => {
    await expect(read({ data: null, timeoutMs: 20 })).rejects.toMatchObject({
      code: 'request_timeout',
      headers: { Connection: 'close' },
    });
  });

  test('that is cut off is 400', async () => {
    const ctx = contextOf({ data: null });
    const reading = readBody(ctx);
    ctx.req.emit('aborted');
    await expect(reading).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('memory for large bodies', () => {
  const large = Buffer.from(JSON.stringify({ a: 'x'.repeat(jsonMaxBytes / 2) }));
  const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

  // rule: threat.8
  test('is shared by the requests of all keys: the others wait with theirs unread, and one key cannot use it all', async () => {
    const headers = { 'content-length': String(large.length) };
    const first = contextOf({ data: large, headers });
    const app = { config: { ...first.app.config, bodyMemoryBytes: 16 * 1024 * 1024 } };
    const make = (id: string, data = large) =>
      Object.assign(contextOf({ data, headers: { 'content-length': String(data.length) } }), { app, caller: { id } });
    const [one, two, other, small] = [make('a'), make('a'), make('b'), make('a', json)];
    const reading = [one, two, other, small].map((ctx) => readBody(ctx as Context));
    await Promise.all([reading[0], reading[2], reading[3]]);
    await soon();
    expect([one, two, other, small].map((ctx) => ctx?.body !== undefined)).toEqual([true, false, true, true]);
    one!.res.emit('close');
    await Promise.all(reading);
    expect(two!.body).toBeDefined();
  });

  test('is needed for the most that a body of unknown length can have', async () => {
    const first = contextOf({ data: json, headers: { 'transfer-encoding': 'chunked' } });
    const app = { config: { ...first.app.config, bodyMemoryBytes: 4 * 1024 * 1024 } };
    const second = contextOf({ data: gzipSync(json), headers: { 'content-encoding': 'gzip' } });
    await readBody(Object.assign(first, { app }) as Context);
    const reading = Promise.resolve(readBody(Object.assign(second, { app }) as Context));
    await soon();
    expect([first.body, second.body]).toEqual([{ a: 1 }, undefined]);
    first.res.emit('close');
    await reading;
  });
});

describe('a coded body', () => {
  test.each([
    ['gzip', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    [' GZIP ', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['identity', json],
    ['', json],
  ])('%j is undone', async (encoding, data) => {
    expect((await read({ data, headers: { 'content-encoding': encoding } })).body).toEqual({ a: 1 });
  });

  test('of another coding is 415, broken is 422, beyond the limit when unpacked is 413', async () => {
    const headers = (encoding: string) => ({ 'content-encoding': encoding });
    await expect(read({ data: json, headers: headers('zstd') })).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
    await expect(read({ data: json, headers: headers('gzip') })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: '', message: 'The body could not be decompressed, or ended too early' }],
    });
    const bomb = gzipSync(Buffer.alloc(1001));
    await expect(readBytes(contextOf({ data: bomb, headers: headers('gzip') }), 1000)).rejects.toMatchObject({
      code: 'too_large',
    });
    expect(await readBytes(contextOf({ data: bomb, headers: headers('gzip') }), 1001)).toHaveLength(1001);
  });
});

describe('a client that goes away', () => {
  test('before its body is read is not waited for', async () => {
    const ctx = contextOf({ data: null });
    ctx.req.destroy();
    await expect(readBody(ctx)).rejects.toMatchObject({ code: 'bad_request' });
  });

  test('in the middle of a coded body ends the decoding', async () => {
    const ctx = contextOf({ data: null, headers: { 'content-encoding': 'gzip' } });
    const reading = readBody(ctx);
    await new Promise(setImmediate); // its turn has started
    ctx.req.destroy(new Error('reset'));
    await expect(reading).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

test.each([
  ['plain', {} as Record<string, string>],
  ['coded', { 'content-encoding': 'gzip' }],
])('what comes after a refusal of a %s body flows away', async (_how, headers) => {
  const ctx = contextOf({ data: null, headers });
  const sender = ctx.req as unknown as PassThrough;
  const reading = readBytes(ctx, 10);
  sender.write(headers['content-encoding'] ? gzipSync(Buffer.alloc(100)) : Buffer.alloc(100));
  await expect(reading).rejects.toMatchObject({ code: 'too_large' });
  const ended = once(sender, 'end');
  sender.end(Buffer.alloc(1024 * 1024));
  await ended;
});

test('a client that asks first is told to go on', async () => {
  const ctx = await read({ data: json, headers: { expect: '100-Continue' } });
  expect((ctx.res as unknown as { continued(): number }).continued()).toBe(1);
  const silent = await read({ data: json });
  expect((silent.res as unknown as { continued(): number }).continued()).toBe(0);
});

describe('other kinds:', () => {
  test('one that is ignored is not read', async () => {
    const ctx = await read({ data: null, body: { kind: 'ignored' } });
    expect(ctx.body).toBeUndefined();
    expect(ctx.bodyHash).toBeUndefined();
  });

  test('a raw one comes as it is, whatever its type, within its own limit', async () => {
    const raw = { kind: 'raw', maxBytes: 7 };
    const ctx = await read({ data: json, headers: { 'content-type': 'application/json' }, body: raw });
    expect(ctx.body).toEqual(json);
    await expect(read({ data: Buffer.alloc(8), body: raw })).rejects.toMatchObject({ code: 'too_large' });
  });

  test('of those that take turns the next is read when the reply before it is over', async () => {
    const body = { kind: 'raw', maxBytes: 7, atOnce: 1 };
    const [first, second] = [contextOf({ data: json, body }), contextOf({ data: json, body })];
    await readBody(first);
    const reading = Promise.resolve(readBody(second));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([first.body, second.body]).toEqual([json, undefined]);
    first.res.emit('close');
    await reading;
    expect(second.body).toEqual(json);
  });

  test('an empty one is nothing or {}', async () => {
    for (const text of ['', '{}']) {
      expect((await read({ data: Buffer.from(text), body: { kind: 'empty' } })).body).toBeUndefined();
    }
    expect((await read({ data: json, body: { kind: 'empty' } })).bodyFault).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'a', message: 'is not a member of this request, which has none' }],
    });
    await expect(read({ data: Buffer.from('{'), body: { kind: 'empty' } })).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });

  test('what a well-formed one cannot be taken for is kept for validation, in every kind that is JSON', async () => {
    const custom = { kind: 'custom', contentTypes: ['application/json'], read: async () => ({ value: 1, hash: '' }) };
    for (const body of [{ kind: 'json' }, { kind: 'empty' }, custom]) {
      for (const text of ['[]', '{"a":"\\u0000"}']) {
        const ctx = await read({ data: Buffer.from(text), body });
        expect([ctx.body, ctx.bodyFault?.code]).toEqual([undefined, 'validation_failed']);
      }
    }
  });

  test('a custom one is JSON where it says so, else what its reader makes of it', async () => {
    const reader = { value: { b: 2 }, hash: 'h' };
    const body = {
      kind: 'custom',
      contentTypes: ['multipart/form-data', 'application/json'],
      read: async () => reader,
    };
    expect((await read({ data: json, body })).body).toEqual({ a: 1 });
    const form = await read({ data: json, headers: { 'content-type': 'multipart/form-data; boundary=x' }, body });
    expect(form.body).toEqual({ b: 2 });
    expect(form.bodyHash).toBe('h');
    await expect(read({ data: json, headers: { 'content-type': 'text/plain' }, body })).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
    const formOnly = { ...body, contentTypes: ['multipart/form-data'] };
    await expect(read({ data: json, body: formOnly })).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test('the reader of a custom one gets the decoded stream, the headers, the site and the app', async () => {
    const contentType = 'multipart/form-data; boundary=x';
    const readAll = async ({ stream, ...rest }: { stream: Readable }) => ({
      value: { ...rest, bytes: Buffer.concat(await stream.toArray()) },
      hash: 'h',
    });
    const ctx = contextOf({
      data: gzipSync(json),
      headers: { 'content-type': contentType, 'content-encoding': 'gzip' },
      body: { kind: 'custom', contentTypes: ['multipart/form-data'], read: readAll },
    });
    Object.assign(ctx, { site: { slug: 's' } });
    await readBody(ctx);
    expect(ctx.body).toMatchObject({
      app: ctx.app,
      site: { slug: 's' },
      headers: { 'content-type': contentType },
      bytes: json,
    });
  });
});
