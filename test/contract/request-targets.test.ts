import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { sendPieces, sendRaw } from '../harness/raw.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

/**
 * Every way of writing a target is the same request: with its key it succeeds, without one it is rejected (RFC 9112,
 * 3.2; RFC 3986, 2.3).
 */
const targets: [string, (slug: string) => string][] = [
  ['absolute', () => 'http://other.example/api/v1/sites'],
  ['absolute in capitals', () => 'HTTP://other.example/api/v1/sites'],
  ['with an escaped letter in the base', () => '/%61pi/v1/sites'],
  ['with an escaped version', () => '/api/%76%31/sites'],
  ['with an escaped letter in a route', (slug) => `/api/v1/sites/${slug}/%63ontent`],
  ['with an escaped letter before a file', (slug) => `/api/v1/sites/${slug}/shell/%66ile/base.twig`],
];

describe.each(targets)('a target %s', (_name, targetOf) => {
  test('is answered with a key', async () => {
    const reply = await sendRaw({ target: targetOf(site.slug), headers: { 'X-API-Key': site.key } });
    expect(reply.status).toBe(200);
  });

  test('is 401 without one', async () => {
    expect((await sendRaw({ target: targetOf(site.slug) })).status).toBe(401);
  });
});

test.each([
  ['two Host headers', 'Host: localhost\r\nhost: other.example\r\n'],
  ['the same Host twice', 'Host: localhost\r\nHost: localhost\r\n'],
  ['no Host', ''],
])('%s are 400 in the envelope, on every path (RFC 9112, 3.2)', async (_what, hosts) => {
  for (const target of ['/api/v1/sites', '/openapi.json', '/webhooks/nothing', '/healthz']) {
    const reply = await sendPieces([`GET ${target} HTTP/1.1\r\n${hosts}X-API-Key: ${site.key}\r\n\r\n`]);
    expect([reply.status, reply.json?.error.code, reply.headers.connection]).toEqual([400, 'bad_request', 'close']);
  }
});

test('HTTP/1.0 needs no Host', async () => {
  const reply = await sendPieces([`GET /api/v1/sites HTTP/1.0\r\nX-API-Key: ${site.key}\r\n\r\n`]);
  expect(reply.status).toBe(200);
});

test('an escaped percent sign is no escape', async () => {
  const target = '/api/v1/%2573ites';
  expect((await sendRaw({ target, headers: { 'X-API-Key': site.key } })).status).toBe(404);
});
