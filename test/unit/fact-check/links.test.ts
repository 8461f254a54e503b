import { afterEach, expect, test } from '@jest/globals';
import { checkArticleHtml, type Site, serveSite } from './harness.ts';

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function serve(pages: Parameters<typeof serveSite>[0]) {
  const site = await serveSite(pages);
  sites.push(site);
  return site;
}

test('every web link is listed once, as written and in order, with what it answers', async () => {
  const site = await serve({ '/a': { body: 'a' }, '/b': { status: 301, location: '/a' }, '/e': { status: 503 } });
  const hrefs = ['/a', '/b', '/a#part', '/missing', '/e'].map((path) => site.url + path);
  const others = [
    'http://10.0.0.1/',
    'http://nowhere.invalid/',
    'ftp://x.test/',
    'mailto:a@x.test',
    '/local',
    '#top',
    'http://[',
    'HTTP://127.0.0.1:1/',
    '',
  ];
  const html = [...hrefs, ...others].map((href) => `<p>see <a href="${href}">x</a></p>`).join('');
  const report = await checkArticleHtml(html, { sites: [site] });
  expect(report.links).toEqual([
    { url: `${site.url}/a`, ok: true, status: 200 },
    { url: `${site.url}/b`, ok: true, status: 200 },
    { url: `${site.url}/missing`, ok: false, status: 404 },
    { url: `${site.url}/e`, ok: false, status: 503 },
    { url: 'http://10.0.0.1/', ok: false, status: null },
    { url: 'http://nowhere.invalid/', ok: false, status: null },
    { url: 'http://[', ok: false, status: null },
    { url: 'HTTP://127.0.0.1:1/', ok: false, status: null },
  ]);
  expect(report.summary).toMatchObject({ links: 8, links_ok: 2, links_not_checked: 0 });
  expect(site.requests.map((request) => request.url).sort()).toEqual(['/a', '/a', '/b', '/e', '/missing']);
});

test('no more links are asked for than the limit, sources before others', async () => {
  const site = await serve({});
  const others = Array.from({ length: 20 }, (_, index) => `<p><a href="${site.url}/other-${index}">other</a></p>`).join(
    '',
  );
  const html = `${others}<p>It has 1,200 doors (<a href="${site.url}/source">x</a>).</p>`;
  const report = await checkArticleHtml(html, { sites: [site], limits: { maxLinks: 3 } });
  expect(report.links.map((link) => link.url.slice(site.url.length))).toEqual(['/source', '/other-0', '/other-1']);
  expect([report.summary.links, report.summary.links_not_checked, site.requests.length]).toEqual([3, 18, 3]);
});

test('no more than so many at a time', async () => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const fetcher = {
    open: async () => {
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setImmediate(() => waiting.shift()?.());
      });
      open--;
      return { url: '', status: 204, headers: {}, body: (async function* () {})(), close: () => {} };
    },
    fetchBytes: () => Promise.reject(new Error('not used')),
    post: () => Promise.reject(new Error('not used')),
  };
  const html = Array.from({ length: 20 }, (_, index) => `<a href="http://x.test/${index}">x</a>`).join(' ');
  const report = await checkArticleHtml(html, { deps: { fetcher }, limits: { maxParallel: 3 } });
  expect([most, report.links.length]).toEqual([3, 20]);
});

test('when the time is used up, links under way have no status and the rest is not listed', async () => {
  const site = await serve(
    Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`/${index}`, { silent: true }])),
  );
  const html = Array.from({ length: 10 }, (_, index) => `<a href="${site.url}/${index}">x</a>`).join(' ');
  const report = await checkArticleHtml(html, { sites: [site], limits: { linksTimeoutMs: 200, maxParallel: 2 } });
  expect(report.links).toEqual([0, 1].map((index) => ({ url: `${site.url}/${index}`, ok: false, status: null })));
  expect(report.summary).toMatchObject({ links: 2, links_ok: 0, links_not_checked: 8 });
});

test('whoever asked can end it', async () => {
  const site = await serve({ '/': { silent: true } });
  const controller = new AbortController();
  const checking = checkArticleHtml(`<a href="${site.url}/">x</a>`, {
    sites: [site],
    deps: { signal: controller.signal },
  });
  controller.abort(new Error('no longer wanted'));
  await expect(checking).rejects.toThrow('no longer wanted');
});
