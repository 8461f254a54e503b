import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { sendRaw } from '../harness/raw.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

// the first request of `curl --http2` and Java's HttpClient to an http:// URL
const offers: [string, Record<string, string>][] = [
  ['h2c', { Connection: 'Upgrade, HTTP2-Settings, close', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' }],
  ['websocket', { Connection: 'Upgrade, close', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' }],
];

test.each(offers)('an offer of %s is not taken: the request is answered as any other', async (_protocol, headers) => {
  const key = { 'X-API-Key': site.key };
  expect((await sendRaw({ target: '/api/v1/sites', headers: { ...headers, ...key } })).status).toBe(200);
  expect((await sendRaw({ target: '/openapi.json', headers })).status).toBe(200);
  const created = await sendRaw({
    method: 'POST',
    target: `/api/v1/sites/${site.slug}/content`,
    headers: { ...headers, ...key, 'Content-Type': 'application/json' },
    body: '{"title":"Offered"}',
  });
  expect([created.status, created.json.data.title]).toEqual([201, 'Offered']);
  expect((await sendRaw({ method: 'POST', target: '/webhooks/none', headers, body: '{}' })).status).toBe(404);
});
