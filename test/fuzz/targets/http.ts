import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { z } from 'zod';
import { Problem } from '../../../services/core/errors.ts';
import { checkBody } from '../../../services/core/validate.ts';
import { componentBody } from '../../../services/features/components/schema.ts';
import { createContentBody, updateContentBody } from '../../../services/features/content/schema.ts';
import { createIntegrationBody } from '../../../services/features/integrations/schema.ts';
import { formatKey, parseKey } from '../../../services/features/keys/format.ts';
import { createBody as mediaBody } from '../../../services/features/media/schema.ts';
import { createRedirectBody } from '../../../services/features/redirects/schema.ts';
import { createScriptBody } from '../../../services/features/scripts/schema.ts';
import { createSiteBody, updateSiteBody } from '../../../services/features/sites/schema.ts';
import { createAddressReader } from '../../../services/gateway/client-address.ts';
import type { Context } from '../../../services/gateway/context.ts';
import { claimIdempotency } from '../../../services/gateway/stages/idempotency.ts';
import { parseJson } from '../../../services/gateway/stages/json.ts';
import { readBytes } from '../../../services/gateway/stages/read-bytes.ts';
import { anyText, attempt, attemptAsync, damaged, damagedText, pieced, target } from '../target.ts';

const jsonSeeds = [
  '{"title":"A","body_html":"<p>b</p>","tags":["x"],"scheduled_at":"2026-01-01T00:00:00Z","status":"draft"}',
  '{"name":"N","slug":"n","domain":"example.com","settings":{"a":[1,2.5e3,null,true]},"default_locale":"en"}',
  '{"a":{"b":{"c":[[[[]]]]}},"\\u0000":"\\ud800","__proto__":{"x":1},"constructor":{"prototype":{}}}',
  '{"from":"/a","to":"https://example.com/","status":301}',
];
const jsonPieces = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '"a"',
  '"body_html"',
  '"__proto__"',
  '\\u0000',
  '\\ud800',
  '1',
  '-0',
  '1e999',
  'null',
  'true',
  '\ufeff',
  '\\',
  '\0',
];

const bodies: Record<string, z.ZodType> = {
  createContentBody,
  updateContentBody,
  createSiteBody,
  updateSiteBody,
  createRedirectBody,
  createScriptBody,
  createIntegrationBody,
  componentBody,
  mediaBody,
};
const memberNames = [
  ...['title', 'slug', 'body_html', 'status', 'type', 'locale', 'tags', 'scheduled_at', 'published_at', 'excerpt'],
  ...[
    'featured_media_id',
    'translation_of',
    'source_ref',
    'name',
    'domain',
    'default_locale',
    'settings',
    'from',
    'to',
  ],
  ...[
    'position',
    'src',
    'code',
    'mapper',
    'handle',
    'source_code',
    'css',
    'variables_schema',
    'url',
    'alt',
    'decorative',
  ],
  ...['file', 'id', 'created_at', 'toString', 'constructor', 'hasOwnProperty'],
];
const memberValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText(40).map((text) => text.toWellFormed()),
  fc.constantFrom(
    'draft',
    'scheduled',
    'html',
    'react',
    'head',
    'en',
    '2026-01-01T00:00:00Z',
    'https://a.test/',
    '/a',
    301,
  ),
);
const anyBody = fc.dictionary(fc.oneof(fc.constantFrom(...memberNames), fc.string()), memberValue, { maxKeys: 8 });

/**
 * Throws for a NUL, a lone surrogate, a member that reaches a prototype, or excessive depth, which must not be
 * accepted.
 */
function assertHarmless(value: unknown, depth = 0): void {
  assert.ok(depth <= 64);
  if (typeof value === 'string') assert.ok(!value.includes('\0') && value.isWellFormed());
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    assert.ok(name !== '__proto__' && !name.includes('\0') && name.isWellFormed());
    if (name !== 'body_html' || typeof member !== 'string') assertHarmless(member, depth + 1);
  }
}

const coders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, identity: (data: Buffer) => data };
type Coding = keyof typeof coders;
const maxBytes = 2000;

function requestOf(data: Buffer, headers: Record<string, string>): Pick<Context, 'req' | 'res' | 'app'> {
  const req = Object.assign(new PassThrough(), { headers });
  req.end(data);
  const config = { bodyTimeoutMs: 60_000 };
  return { req: req as unknown as IncomingMessage, res: {} as ServerResponse, app: { config } as Context['app'] };
}

class Reached extends Error {}
const idempotentContext = (key: string) =>
  ({
    method: 'POST',
    path: '/x',
    search: '',
    route: { body: { kind: 'ignored' } },
    caller: { id: 'k' },
    req: { headers: { 'idempotency-key': key } },
    app: {
      db: {
        query() {
          throw new Reached();
        },
      },
    },
  }) as unknown as Context;

const addressOf = createAddressReader(['10.0.0.0/8', 'fd00::/8', '127.0.0.1']);
const addresses = [
  '10.1.2.3',
  '203.0.113.9',
  '::1',
  'fd00::7',
  '2001:db8::1',
  '::ffff:10.0.0.1',
  '127.0.0.1',
  'unknown',
  '010.0.0.1',
  '1.2.3.4:80',
  '[::1]:5',
  '0x7f.1',
];

const peers = ['10.1.2.3', '203.0.113.9', '::1', 'fd00::7', '2001:db8::1', '::ffff:10.0.0.1', '127.0.0.1', 'unknown'];

export const httpTargets = [
  target({
    name: 'json body',
    inputs: fc.oneof(
      damaged(jsonSeeds),
      pieced(jsonPieces).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    ),
    check(bytes) {
      const value = attempt(() => parseJson(bytes), Problem);
      if (value === null) return;
      assert.ok(!Array.isArray(value));
      assertHarmless(value);
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
      for (const schema of Object.values(bodies)) attempt(() => checkBody(schema, value, ['id']), Problem);
    },
    pump: {
      pieces: ['{"a":', '[', '"', '\\u0041', '{', '1,', '0'],
      parse: (text) => attempt(() => parseJson(Buffer.from(text)), Problem),
    },
  }),
  target({
    name: 'record bodies',
    inputs: anyBody,
    check(body) {
      for (const schema of Object.values(bodies)) {
        const first = attempt(() => checkBody(schema, body, ['id', 'created_at']), Problem);
        // accepted values are plain data, and are accepted again
        if (first !== null) {
          JSON.stringify(first);
          checkBody(schema, structuredClone(body), ['id', 'created_at']);
        }
      }
      assert.deepEqual(Object.keys(Object.prototype), []);
    },
  }),
  target({
    name: 'coded body',
    inputs: fc.tuple(
      fc.constantFrom<Coding>('gzip', 'deflate', 'br', 'identity'),
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat({ max: 6000 }).map((n) => new Uint8Array(n)),
      ),
      fc.option(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { nil: null }),
    ),
    async check([coding, bytes, damage]) {
      const data = Buffer.from(coders[coding](Buffer.from(bytes)));
      if (damage && data.length > 0) data[damage[0] % data.length] = damage[1];
      const read = await attemptAsync(
        () => readBytes(requestOf(data, { 'content-encoding': coding }), maxBytes),
        Problem,
      );
      if (read) assert.ok(read.length <= maxBytes);
      if (!damage && bytes.length <= maxBytes) assert.ok(read?.equals(Buffer.from(bytes)));
      if (!damage && bytes.length > maxBytes) assert.equal(read, null);
    },
  }),
  target({
    name: 'api key header',
    inputs: fc.oneof(damagedText([formatKey('abcdEFGH', 'x'.repeat(32))]), anyText(60)),
    check(text) {
      const key = parseKey(text);
      if (key === null) return;
      assert.equal(text.length, 44);
      assert.equal(formatKey(key.id, key.secret), text);
    },
    pump: { pieces: ['fs_', 'a', '_', '\n'], parse: parseKey },
  }),
  target({
    name: 'idempotency key',
    inputs: fc.oneof(fc.string({ maxLength: 300 }), anyText(300), damagedText(['key-1', 'x'.repeat(255)])),
    async check(key) {
      const valid = key.length >= 1 && key.length <= 255 && [...key].every((char) => char >= '!' && char <= '~');
      try {
        await claimIdempotency(idempotentContext(key));
        assert.fail('it went on without a database');
      } catch (error) {
        if (valid) assert.ok(error instanceof Reached);
        else assert.ok(error instanceof Problem && error.code === 'idempotency_key_invalid');
      }
    },
  }),
  target({
    name: 'forwarded address',
    inputs: fc.tuple(
      fc.constantFrom(...peers),
      fc.oneof(pieced([...addresses, ',', ', ', ' '], 12, anyText(5)), anyText(60)),
    ),
    check([peer, header]) {
      const req = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': header } };
      const read = addressOf(req as unknown as IncomingMessage);
      assert.ok(typeof read === 'string' && read !== '');
      const direct = addressOf({ ...req, headers: {} } as unknown as IncomingMessage);
      const trusted = ['10.1.2.3', 'fd00::7', '::ffff:10.0.0.1', '127.0.0.1'].includes(peer);
      if (!trusted) assert.equal(read, direct);
      assert.match(
        read,
        /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]+::\/64|unknown|1\.2\.3\.4:80|\[::1\]:5|0x7f\.1|010\.0\.0\.1)$/,
      );
    },
    pump: {
      pieces: ['1.2.3.4', ',', ' ', '::', '10.0.0.1,'],
      parse: (header) =>
        addressOf({
          socket: { remoteAddress: '10.0.0.1' },
          headers: { 'x-forwarded-for': header },
        } as unknown as IncomingMessage),
    },
  }),
];
