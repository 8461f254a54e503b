import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

let site: EdgeSite;
let other: EdgeSite;
let unpublished: EdgeSite;

beforeAll(async () => {
  site = await makeEdgeSite({ files: { '/': { body: 'home of one' }, '/about/': { body: 'about one' } } });
  other = await makeEdgeSite({ files: { '/': { body: 'home of two' } } });
  unpublished = await makeEdgeSite();
});
afterAll(closeStack);

describe('which site answers', () => {
  test('the Host names it, whatever its case, port and trailing dot', async () => {
    for (const host of [
      site.domain,
      site.domain.toUpperCase(),
      `${site.domain}:8081`,
      `${site.domain}.`,
      `${site.domain}.:80`,
    ]) {
      const reply = await visit('/', { headers: { host } });
      expect([reply.status, reply.text]).toEqual([200, 'home of one']);
    }
  });

  test('on any other host the path names it', async () => {
    for (const host of ['localhost', '127.0.0.1:1', 'nobody.example']) {
      const reply = await visit(`${site.base}/about/`, { headers: { host } });
      expect([reply.status, reply.text]).toEqual([200, 'about one']);
    }
  });

  test('an absolute request target outranks the Host header', async () => {
    const reply = await visit(`http://${site.domain}/about/`, { headers: { host: other.domain } });
    expect(reply.text).toBe('about one');
  });

  test('the prefix without its slash leads to it and keeps the query', async () => {
    const reply = await visit(`${site.base}?a=1&b=%2F`);
    expect(reply.status).toBe(301);
    expect(reply.headers.location).toBe(`${site.base}/?a=1&b=%2F`);
  });

  test('a path without its slash leads to the page, on a domain and under the prefix', async () => {
    const byPrefix = await visit(`${site.base}/about?x=1`);
    const byHost = await visit('/about?x=1', { headers: { host: site.domain } });
    expect([byPrefix.status, byPrefix.headers.location]).toEqual([301, `${site.base}/about/?x=1`]);
    expect([byHost.status, byHost.headers.location]).toEqual([301, '/about/?x=1']);
  });

  test("a domain shows no other site's pages", async () => {
    const reply = await visit(`${other.base}/`, { headers: { host: site.domain } });
    expect(reply.status).toBe(404);
    expect(reply.text).not.toContain('home of two');
  });

  test.each([
    '/',
    '/nothing',
    '/sites',
    '/sites/',
    '/sites/no-such-site/',
    '/sites/no-such-site',
    '/sites/NO_SUCH/',
    '/sites//evil.example/',
  ])('%s of an unknown host is a plain 404', async (path) => {
    const reply = await visit(path, { headers: { host: 'nobody.example' } });
    expect(reply.status).toBe(404);
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    expect(reply.headers.location).toBeUndefined();
  });

  test('a site without a release is 404, and says why', async () => {
    const reply = await visit(`${unpublished.base}/`);
    expect(reply.status).toBe(404);
    expect(reply.text).toContain('nothing published');
  });

  test('/healthz answers on the main port, but is an ordinary path of a domain', async () => {
    const health = await visit('/healthz');
    expect([health.status, health.text]).toEqual([200, 'ok\n']);
    await visit('/', { headers: { host: site.domain }, edge: 0 });
    expect((await visit('/healthz', { headers: { host: site.domain }, edge: 0 })).status).toBe(404);
  });
});
