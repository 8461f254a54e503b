import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, stack, type TestSite } from '../harness/api.ts';

let site: TestSite;
let server: Server;
const origin = `http://127.0.0.1:${stack.allowedPorts[11]}`;

beforeAll(async () => {
  site = await makeSite();
  server = createServer((req, res) => {
    if (req.url !== '/survey') return void res.writeHead(404).end();
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end('<title>Survey</title><p>The survey counted 1,200 walkers on the ridge path in 2024.</p>');
  });
  await new Promise<void>((resolve) => server.listen(stack.allowedPorts[11], '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await closeStack();
});

async function checkBody(body_html: string) {
  const { data } = await site.request('POST', '/content', { title: 'Walkers', body_html });
  const before = await site.request('GET', `/content/${data.id}`);
  const reply = await site.request('POST', `/content/${data.id}/fact-check`);
  expect([reply.status, reply.data.content_id]).toEqual([200, data.id]);
  // nothing is stored or changed
  expect((await site.request('GET', `/content/${data.id}`)).text).toBe(before.text);
  return reply.data;
}

interface Claim {
  text: string;
  kind: string;
  verdict: string;
}
const verdictOf = (claims: Claim[], words: string) =>
  claims.find(({ kind, text }) => kind === 'number' && text.includes(words))?.verdict;

// rule: endpoint.11
test('200: a figure that the linked page states is supported, and the link is listed', async () => {
  const report = await checkBody(
    `<p>The survey counted 1200 walkers on the ridge path (<a href="${origin}/survey">survey</a>).</p>`,
  );
  expect(verdictOf(report.claims, '1200 walkers')).toBe('supported');
  expect(report.links).toEqual([{ url: `${origin}/survey`, ok: true, status: 200 }]);
  expect(report.checked_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('200: a figure without a source is unverifiable; arithmetic that does not add up is contradicted', async () => {
  const report = await checkBody('<p>The path has 48 signposts.</p><p>From 1990 to 2000, 25 years passed.</p>');
  expect(verdictOf(report.claims, '48 signposts')).toBe('unverifiable');
  expect(report.claims.some(({ verdict }: Claim) => verdict === 'contradicted')).toBe(true);
  expect(report.summary.claims).toBe(report.claims.length);
});

test('a dead link is listed as not ok, and a private address is never asked', async () => {
  const report = await checkBody(
    `<p>It is 300 m (<a href="${origin}/gone">a</a>, <a href="http://127.0.0.1:1/x">b</a>).</p>`,
  );
  const links = Object.fromEntries(
    report.links.map((link: { url: string; ok: boolean; status: number | null }) => [link.url, [link.ok, link.status]]),
  );
  expect(links[`${origin}/gone`]).toEqual([false, 404]);
  expect(links['http://127.0.0.1:1/x']).toEqual([false, null]);
});

test('404 for an item that is not there', async () => {
  expect((await site.request('POST', '/content/00000000-0000-4000-8000-000000000000/fact-check')).status).toBe(404);
});
