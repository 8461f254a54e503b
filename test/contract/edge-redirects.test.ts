import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

let site: EdgeSite;

beforeAll(async () => {
  site = await makeEdgeSite({
    files: { '/': { body: 'home' }, '/new/': { body: 'new' }, '/covered/': { body: 'covered' } },
    redirects: {
      '/old': ['/new/', 301],
      '/moved': ['/new/?from=moved#part', 302],
      '/keep-method': ['/new/', 307],
      '/for-ever': ['/new/', 308],
      '/away': ['https://elsewhere.example/path?x=1#y', 301],
      '/abroad': ['https://bücher.example:8443/é?ä=1#ö', 301],
      '/covered/': ['/new/', 302],
      '/alt ünï': ['/new/é', 301],
      '/trick': ['//evil.example/', 301],
      '/climb': ['/../../other/../new/./?a#b', 301],
      '/climb2': ['/%2E%2e/x', 301],
      '/trick2': ['/\\evil.example/', 301],
    },
  });
});
afterAll(closeStack);

async function both(path: string) {
  const byPrefix = await visit(site.base + path);
  const byHost = await visit(path, { headers: { host: site.domain } });
  return { byPrefix, byHost };
}

describe('redirect rules', () => {
  // rule: endpoint.25
  test.each([
    ['/old', 301, '/new/'],
    ['/old/', 301, '/new/'],
    ['/old?a=1', 301, '/new/?a=1'],
    ['/old?', 301, '/new/'],
    ['/moved', 302, '/new/?from=moved#part'],
    ['/moved?a=1', 302, '/new/?from=moved&a=1#part'],
    ['/keep-method', 307, '/new/'],
    ['/for-ever', 308, '/new/'],
    ['/climb', 301, '/new/?a#b'],
    ['/climb2', 301, '/x'],
    ['/alt%20%C3%BCn%C3%AF', 301, '/new/%C3%A9'],
  ])('%s is %i to %s, below the site wherever it is served', async (path, status, location) => {
    const { byPrefix, byHost } = await both(path);
    expect([byHost.status, byHost.headers.location]).toEqual([status, location]);
    expect([byPrefix.status, byPrefix.headers.location]).toEqual([status, site.base + location]);
  });

  test('another site is led to as it is, with the query', async () => {
    const { byPrefix, byHost } = await both('/away?a=2');
    for (const reply of [byPrefix, byHost]) {
      expect([reply.status, reply.headers.location]).toEqual([301, 'https://elsewhere.example/path?x=1&a=2#y']);
    }
  });

  test('a host in other letters is sent in its ASCII form, which every client understands', async () => {
    const { byHost } = await both('/abroad');
    expect(byHost.headers.location).toBe('https://xn--bcher-kva.example:8443/%C3%A9?%C3%A4=1#%C3%B6');
  });

  test('a rule wins over a page', async () => {
    const { byHost } = await both('/covered/');
    expect([byHost.status, byHost.headers.location]).toEqual([302, '/new/']);
  });

  test('no rule leads to another host by a path', async () => {
    for (const path of ['/trick', '/trick2']) {
      const { byHost } = await both(path);
      expect(byHost.headers.location).toBe('/evil.example/');
    }
  });

  test('redirects are not cached for good: rules come and go', async () => {
    expect((await both('/old')).byHost.headers['cache-control']).toBe('no-cache');
  });

  test('/index.html leads to the page', async () => {
    const { byHost } = await both('/new/index.html');
    expect([byHost.status, byHost.headers.location]).toEqual([301, '/new/']);
  });
});
