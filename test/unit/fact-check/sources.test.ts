import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkArticleHtml, type Site, serveSite } from './harness.ts';

const cityPage = `<!doctype html><html lang="en"><head><title>Brennholm</title><script>var x = 77777;</script></head><body><nav>99999</nav>
<h1>Brennholm</h1><p>Brennholm is a city on the coast. It has 1.2 thousand inhabitants, 42 per cent of whom fish.</p>
<p>The population of Seeham is 5,000.</p><p>The stone bridge was built in 1985. It is the oldest stone bridge in the region.</p>
<p>The town hall was opened on 5 May 1977 by Anna Berg.</p>
<p>Mayor Anna Berg told us: "We will never   sell the harbour, whatever they offer."</p></body></html>`;

let site: Site;
beforeAll(async () => {
  site = await serveSite({
    '/city': { body: cityPage },
    '/moved': { status: 301, location: '/city' },
    '/inside': { status: 302, location: 'http://127.0.0.1:9/' },
    '/latin': {
      body: Buffer.from('<meta charset="iso-8859-1"><p>Die Br\xfccke ist 333 Meter lang.</p>', 'latin1'),
      type: 'text/html',
    },
    '/plain': { body: 'The bridge is 333 metres long.', type: 'text/plain' },
    '/image': { body: Buffer.from([1, 2, 3]), type: 'image/png' },
    '/gone': { status: 410 },
    '/forbidden': { status: 403, body: '<p>1,200 inhabitants</p>' },
    '/broken': { status: 500 },
    '/silent': { silent: true },
    '/large': { body: `<p>${'word '.repeat(100_000)}</p><p>1,200 inhabitants</p>` },
    '/nested': { body: '<b>'.repeat(200_000) + '</i>'.repeat(200_000) },
  });
});
afterAll(() => site.close());

async function check(sentence: string, path = '/city', locale = 'en') {
  const html = `<p>${sentence} (<a href="${site.url}${path}">source</a>).</p>`;
  return checkArticleHtml(html, {
    sites: [site],
    input: { locale },
    // far above what a page that responds needs, on however slow a machine
    limits: { linkTimeoutMs: path === '/silent' ? 300 : 60_000, linksTimeoutMs: 60_000, maxPageBytes: 50_000 },
  });
}

async function judge(sentence: string, path?: string, locale?: string) {
  const report = await check(sentence, path, locale);
  return report.claims.map((claim) => `${claim.kind} ${claim.verdict}`);
}

describe('a claim that its linked page contains is supported', () => {
  test.each([
    ['Brennholm has 1,200 inhabitants', 'number supported'],
    ['Brennholm has 1200 inhabitants', 'number supported'],
    ['Brennholm has about 1,230 inhabitants', 'number supported'],
    ['In Brennholm 42% of the people fish', 'number supported'],
    ['The bridge was built in 1985', 'date supported'],
    ['The town hall was opened on May 5, 1977', 'date supported'],
    ['The town hall was opened in May 1977', 'date supported'],
    ['Brennholm has the oldest stone bridge of the region', 'superlative supported'],
    ['The answer was: “we will never sell the harbour”', 'quotation supported'],
  ])('%s', async (sentence, verdict) => {
    expect(await judge(sentence)).toEqual([verdict]);
  });

  test('a quotation and who said it', async () => {
    expect(await judge('“We will never sell the harbour,” said Anna Berg')).toEqual([
      'quotation supported',
      'attribution supported',
    ]);
  });

  test('the evidence names the page and the passage', async () => {
    const report = await check('Brennholm has 1,200 inhabitants');
    expect(report.claims[0]).toEqual({
      text: 'Brennholm has 1,200 inhabitants (source).',
      kind: 'number',
      verdict: 'supported',
      evidence: [
        {
          type: 'link',
          url: `${site.url}/city`,
          excerpt: 'It has 1.2 thousand inhabitants, 42 per cent of whom fish.',
          message: 'The linked page contains 1,200.',
        },
      ],
    });
  });

  test.each(['/plain', '/latin'])('whatever the charset or type: %s', async (path) => {
    expect(await judge('The bridge is 333 metres long', path)).toEqual(['number supported']);
  });

  test('after a redirect too', async () => {
    expect(await judge('Brennholm has 1,200 inhabitants', '/moved')).toEqual(['number supported']);
  });
});

describe('a page that clearly says otherwise contradicts', () => {
  test.each([
    ['Brennholm has 1,500 inhabitants', 'number contradicted'],
    ['Seeham has a population of 4,000', 'number contradicted'],
    ['The stone bridge was built in 1990', 'date contradicted'],
    ['The town hall was opened on 6 May 1977', 'date contradicted'],
  ])('%s', async (sentence, verdict) => {
    expect(await judge(sentence)).toEqual([verdict]);
  });
});

describe('a page that says nothing of it leaves the claim unsupported', () => {
  test.each([
    ['Brennholm has 77,777 fish', 'number unsupported'],
    ['Brennholm has 99,999 birds', 'number unsupported'],
    ['The harbour was dredged in 2001', 'date unsupported'],
    ['It is the most expensive city of all', 'superlative unsupported'],
    ['The answer was: “we will sell the harbour tomorrow”', 'quotation unsupported'],
  ])('%s', async (sentence, verdict) => {
    expect(await judge(sentence)).toEqual([verdict]);
  });

  test('words put into a mouth that said others', async () => {
    expect(await judge('“We will sell the harbour tomorrow,” said Anna Berg')).toEqual([
      'quotation unsupported',
      'attribution unsupported',
    ]);
  });

  test.each(['/missing', '/gone'])('as does one that is gone: %s', async (path) => {
    expect(await judge('Brennholm has 1,200 inhabitants', path)).toEqual(['number unsupported']);
  });
});

describe('without a page to read the claim is unverifiable', () => {
  test.each([
    ['/forbidden', 'The linked page could not be read. The server responded with status 403.'],
    ['/broken', 'The linked page could not be read. The server responded with status 500.'],
    ['/silent', 'The linked page could not be read. The server of the URL took too long to respond.'],
    ['/image', 'The linked page could not be read. The page is not text.'],
    ['/inside', 'The linked page could not be read. The URL does not lead to a public address.'],
    ['/large', 'The part of the linked page that was read does not contain 1,200.'],
    ['/nested', 'The part of the linked page that was read does not contain 1,200.'],
  ])('%s', async (path, message) => {
    const report = await check('Brennholm has 1,200 inhabitants', path);
    expect(report.claims.map((claim) => [claim.verdict, claim.evidence.map((item) => item.message)])).toEqual([
      ['unverifiable', [message]],
    ]);
  });

  test('or without a link', async () => {
    const report = await checkArticleHtml(
      '<p>Brennholm has 1,200 inhabitants.</p><p>See <a href="/posts/x">our own post</a>.</p>',
    );
    expect(report.claims.map((claim) => [claim.verdict, claim.evidence])).toEqual([
      ['unverifiable', [{ type: 'none', message: 'The text links no source for this.' }]],
    ]);
    expect(report.links).toEqual([]);
  });
});

describe('where a claim finds its source', () => {
  const claim = 'Brennholm has 1,200 inhabitants.';
  test.each([
    ['in the sentence', (url: string) => `<p><a href="${url}">Brennholm</a> has 1,200 inhabitants.</p>`],
    ['in the paragraph', (url: string) => `<p>${claim} More is <a href="${url}">here</a>.</p>`],
    ['in a line of sources below', (url: string) => `<p>${claim}</p><p>Source: <a href="${url}">city</a></p>`],
    [
      'below a quotation',
      (url: string) =>
        `<blockquote><p>We will never sell the harbour, whatever they offer.</p></blockquote><p><a href="${url}">Anna Berg</a></p>`,
    ],
    [
      'in the cite of a quotation',
      (url: string) => `<blockquote cite="${url}">We will never sell the harbour, whatever they offer.</blockquote>`,
    ],
  ])('%s', async (_where, write) => {
    const report = await checkArticleHtml(write(`${site.url}/city`), { sites: [site] });
    expect(report.claims.map((found) => found.verdict)).toEqual(['supported']);
  });

  test('not in another paragraph', async () => {
    const report = await checkArticleHtml(`<p>${claim}</p><p>Also <a href="${site.url}/city">this</a>.</p>`, {
      sites: [site],
    });
    expect(report.claims.map((found) => found.verdict)).toEqual(['unverifiable']);
  });

  test('a second source may bear out what the first does not', async () => {
    const html = `<p>${claim} <a href="${site.url}/plain">1</a> <a href="${site.url}/missing">2</a> <a href="${site.url}/city">3</a></p>`;
    const report = await checkArticleHtml(html, { sites: [site] });
    expect(report.claims.map((found) => found.verdict)).toEqual(['supported']);
  });

  test('a sentence is as good as the worst of its figures', async () => {
    expect(await judge('Brennholm has 1,200 inhabitants and 77,777 fish')).toEqual(['number unsupported']);
  });
});
