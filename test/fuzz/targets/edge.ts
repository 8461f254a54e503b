import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../services/core/errors.ts';
import { namesTag } from '../../../services/core/etag.ts';
import { createPreviewToken, readPreviewToken } from '../../../services/core/preview-token.ts';
import { check } from '../../../services/core/validate.ts';
import { mayUseRange, parseRange } from '../../../services/edge/conditional.ts';
import { chooseCoding, codings, readAcceptEncoding } from '../../../services/edge/encoding.ts';
import { normaliseHost, parseTarget } from '../../../services/edge/target.ts';
import { canonicalPath, ownPath, spellingsOf } from '../../../services/features/redirects/canonical.ts';
import { createRedirectBody } from '../../../services/features/redirects/schema.ts';
import { anyText, attempt, damagedText, pieced, target } from '../target.ts';

const targetPieces = [
  '/',
  'a',
  'sites/x/',
  '%2f',
  '%2F',
  '%00',
  '%c3%a9',
  '%e2%82',
  '%',
  '..',
  '?',
  '#',
  'q=1',
  'http://h.test',
  'HTTPS://u:p@h.test:8',
  '\\',
  ' ',
  '\0',
  '*',
  '@',
];
const hosts = [
  'example.com',
  'EXAMPLE.com:80',
  'a@b',
  '[::1]:80',
  'example.com.',
  ':80',
  '',
  'é.test',
  'a'.repeat(300),
  '..',
  '-',
];
const rangePieces = [
  'bytes',
  '=',
  '-',
  ',',
  '0',
  '1',
  '5',
  '10',
  '99999999999999999999',
  ' ',
  '\t',
  'items',
  'BYTES',
  '1.5',
  '-1',
];
const etag = '"0123456789abcdef"';
const tagPieces = [etag, `W/${etag}`, '"other"', '*', ',', ' ', 'W/', '"', 'w/', '\\"', '0123456789abcdef'];
const codingPieces = [
  'br',
  'gzip',
  'identity',
  '*',
  'deflate',
  'GZIP',
  ',',
  ';',
  'q=',
  '0',
  '1',
  '0.5',
  '0.0000',
  '-1',
  ' ',
  'x',
];
const redirectPieces = [
  '/',
  '//',
  'a',
  'old',
  '.',
  '..',
  '%2e',
  '%2F',
  '%41',
  '%c3%a9',
  'é',
  '?',
  '#',
  '\\',
  '\t',
  '@',
  ':',
  'https://example.com',
  'http:/',
  'javascript:',
  'evil.test',
  '%',
  '%00',
];
const keys = [Buffer.alloc(32, 7)];
const grant = {
  siteId: '00000000-0000-4000-8000-000000000001',
  releaseId: '00000000-0000-4000-8000-000000000002',
  expiresAt: new Date('2030-01-01T00:00:00Z'),
};
const token = createPreviewToken(keys, grant);
const site = { slug: 's', domain: 'example.com', aliases: [] };

/** Whether a header names a coding only to reject it. */
function refused(header: string, coding: string): boolean {
  const parts = header.split(',').map((part) => part.trim().toLowerCase());
  const own = parts.filter((part) => part.split(';')[0]!.trim() === coding);
  return own.length > 0 && own.every((part) => /^[a-z]+;q=0$/.test(part)) && !header.includes('*');
}

export const edgeTargets = [
  target({
    name: 'request target',
    inputs: fc.tuple(
      fc.oneof(pieced(targetPieces, 14), anyText(80)),
      fc.oneof(fc.constantFrom(...hosts), anyText(40), fc.constant(undefined)),
    ),
    check([text, host]) {
      const found = parseTarget(text, host);
      if ('status' in found) return assert.ok(found.status === 400 || found.status === 414);
      assert.ok(found.path.startsWith('/') && !/[^\x21-\x7e]/.test(found.path) && !/[?#]/.test(found.path));
      const decoded = decodeURIComponent(found.path);
      assert.ok(!/[\u0000-\u001f\u007f]/.test(decoded) && decoded.isWellFormed());
      assert.equal(decoded.split('/').length, found.path.split('/').length);
      if (found.simple) assert.equal(decoded, found.path);
      assert.ok(found.query === '' || found.query.startsWith('?'));
      assert.ok(!found.host.includes('@') && found.host === found.host.toLowerCase());
    },
    pump: { pieces: targetPieces, parse: (text) => parseTarget(text.slice(0, 8192), 'x') },
  }),
  target({
    name: 'host header',
    inputs: fc.oneof(pieced(hosts, 4), anyText(300)),
    check(header) {
      const name = normaliseHost(header);
      assert.ok(!name.includes('@') && !/:\d+$/.test(name.replace(/:\d*$/, '')) === !/:\d+:\d*$/.test(name));
    },
  }),
  target({
    name: 'range',
    inputs: fc.tuple(
      fc.oneof(
        pieced(rangePieces, 8, anyText(3)),
        fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      ),
      fc.nat({ max: 2000 }),
    ),
    check([header, size]) {
      const range = parseRange(header, size);
      if (typeof range === 'string') return;
      assert.ok(Number.isSafeInteger(range.first) && Number.isSafeInteger(range.last));
      assert.ok(range.first >= 0 && range.first <= range.last && range.last < size);
      mayUseRange(header, etag);
    },
    pump: { pieces: rangePieces, parse: (header) => parseRange(header, 100) },
  }),
  target({
    name: 'if-none-match',
    inputs: fc.oneof(pieced(tagPieces, 10), anyText(60)),
    check(header) {
      const listed = header.includes(etag) || header.trim() === '*';
      if (namesTag(header, etag)) assert.ok(listed);
      // a well-formed list that contains the tag always matches
      const parts = header.split(',').map((part) => part.trim());
      const wellFormed = parts.every(
        (part) => /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(part) && !part.slice(1, -1).includes(','),
      );
      if (wellFormed && parts.some((part) => part.endsWith(etag) && part.length <= etag.length + 2))
        assert.ok(namesTag(header, etag));
    },
    pump: { pieces: tagPieces, parse: (header) => namesTag(header, etag) },
  }),
  target({
    name: 'accept-encoding',
    inputs: fc.oneof(pieced(codingPieces, 12), anyText(60)),
    check(header) {
      const accepted = readAcceptEncoding(header);
      assert.ok(accepted.order.every((coding) => codings.includes(coding)));
      assert.equal(new Set(accepted.order).size, accepted.order.length);
      assert.equal(accepted.refusesIdentity, !accepted.order.includes('identity'));
      for (const coding of codings) if (refused(header, coding)) assert.ok(!accepted.order.includes(coding), coding);
      for (const worth of [true, false]) {
        const chosen = chooseCoding(accepted, worth);
        assert.ok(chosen === undefined ? accepted.order.length === 0 : accepted.order.includes(chosen));
      }
    },
    pump: { pieces: codingPieces, parse: readAcceptEncoding },
  }),
  target({
    name: 'redirect',
    inputs: fc.record({
      from: fc.oneof(pieced(redirectPieces, 8), anyText(60)),
      to: fc.oneof(pieced(redirectPieces, 8), anyText(60)),
    }),
    check(body) {
      for (const given of [body, { ...body, from: '/a' }, { ...body, to: '/b' }]) {
        const redirect = attempt(() => check(createRedirectBody, given), Problem);
        if (redirect === null) continue;
        const { from, to } = redirect;
        const canonical = canonicalPath(from);
        assert.ok(canonical.startsWith('/') && !canonical.includes('?'));
        assert.ok(
          spellingsOf(from).includes(canonical) && spellingsOf(from).every((spelling) => spelling.startsWith('/')),
        );
        const landed = new URL(to, 'https://example.com/somewhere/');
        if (to.startsWith('/')) assert.equal(landed.origin, 'https://example.com');
        assert.ok(/^https?:$/.test(landed.protocol) && landed.username === '' && landed.password === '');
        assert.ok(!/[\r\n\0]/.test(to));
        const own = ownPath(to, site, { edgeUrl: 'http://edge.test' });
        assert.ok(own === null || own.startsWith('/'));
      }
    },
    pump: {
      pieces: redirectPieces,
      parse: (text) => attempt(() => check(createRedirectBody, { from: `/${text}`, to: text }), Problem),
    },
  }),
  target({
    name: 'preview token',
    inputs: fc.oneof(damagedText([token]), anyText(80)),
    check(text) {
      const found = readPreviewToken(keys, text, new Date('2029-01-01T00:00:00Z'));
      if (found) assert.equal(text, token);
    },
  }),
];
