import { describe, expect, test } from '@jest/globals';
import { makeSitemap } from '../../../services/build/map-files.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { makeInputs, makeItem, renderSnapshot } from './snapshot.ts';

const elsewhere = 'https://first.example/text?a=1&b=2';
const escaped = 'https://first.example/text?a=1&amp;b=2';
const shell = { 'home.twig': 'home', 'archive.twig': 'archive', '404.twig': 'missing' };

/** Renders the page `/a/` of an item with this URL, with this template. */
function renderPage(template: string, canonical_url: string | null): string {
  const item = makeItem({ type: 'page', slug: 'a', canonical_url });
  const { pages, faults } = renderSnapshot({
    inputs: makeInputs({ items: [item] }),
    templates: { ...shell, 'page.twig': template },
    bodies: { [item.id]: '<p>x</p>' },
  });
  expect(faults).toEqual([]);
  return pages.get('/a/')!.html;
}

describe('page.canonical', () => {
  const template = '{{ page.canonical }} {{ page.canonical_url }} {{ page.url }}';

  test('is the canonical_url of the item where it has one', () => {
    const link = `<link rel="canonical" href="${escaped}">`;
    expect(renderPage(template, elsewhere)).toBe(`${escaped} ${escaped} https://demo.test/a/${link}`);
  });

  test('is the URL of the page where it has none', () => {
    expect(renderPage(template, null)).toBe('https://demo.test/a/  https://demo.test/a/');
  });

  test('is the same in lists', () => {
    const items = [makeItem({ slug: 'there', canonical_url: elsewhere }), makeItem({ slug: 'here' })];
    const { pages } = renderSnapshot({
      inputs: makeInputs({ items }),
      templates: {
        ...shell,
        'post.twig': 'post',
        'page.twig': 'page',
        'home.twig': '{% for p in posts() %}{{ p.canonical }} {% endfor %}',
      },
      bodies: {},
    });
    expect(pages.get('/')!.html).toBe(`https://demo.test/posts/here/ ${escaped} `);
  });
});

describe('a page whose item has a canonical_url', () => {
  test('names it at the end of the head when its template has no canonical link', () => {
    expect(renderPage('<html><head><title>t</title></head><body></body></html>', elsewhere)).toBe(
      `<html><head><title>t</title><link rel="canonical" href="${escaped}"></head><body></body></html>`,
    );
  });

  test.each([
    '<head><link rel="canonical" href="{{ page.canonical }}"></head>',
    '<head><LINK href="{{ page.canonical }}" rel=canonical></head>',
    "<head>\n<link\n  rel = 'canonical'\n  href='{{ page.canonical }}'></head>",
  ])('keeps the link of its template: %j', (template) => {
    expect(renderPage(template, elsewhere)).toBe(template.replace('{{ page.canonical }}', escaped));
  });

  test.each(['<head><link rel="stylesheet" href="/canonical.css"></head>', '<head></head><p>rel="canonical"</p>'])(
    'names it when its template has %j',
    (template) => {
      expect(renderPage(template, elsewhere)).toContain(`<link rel="canonical" href="${escaped}"></head>`);
    },
  );
});

test('a page without canonical_url stays as its template makes it', () => {
  expect(renderPage('<head></head>', null)).toBe('<head></head>');
});

test('another canonical_url renders the pages that show the item again, and no others', () => {
  const items = [makeItem({ slug: 'one' }), makeItem({ type: 'page', slug: 'two' })];
  const templates = {
    ...shell,
    'home.twig': '{% for p in posts() %}{{ p.canonical }}{% endfor %}',
    'post.twig': '{{ page.canonical }}',
    'page.twig': 'page',
  };
  const render = (changed: typeof items) =>
    renderSnapshot({
      inputs: makeInputs({ items: changed }),
      templates,
      bodies: Object.fromEntries(changed.map(({ id }) => [id, ''])),
    });
  const before = render(items);
  const after = render([{ ...items[0]!, revision: 2, canonical_url: elsewhere }, items[1]!]);
  const stale = [...before.pages].filter(([, { reads }]) =>
    reads.some((key) => key !== 'site' && before.readValue(key) !== after.readValue(key)),
  );
  expect(stale.map(([path]) => path).sort()).toEqual(['/', '/feed.xml', '/posts/one/']);
});

describe('the sitemap', () => {
  test('leaves out items whose pages name another URL as canonical; the feed keeps them', () => {
    const items = [
      makeItem({ slug: 'own' }),
      makeItem({ slug: 'same', canonical_url: 'HTTPS://demo.test/posts/same/' }),
      makeItem({ slug: 'other', canonical_url: elsewhere }),
      makeItem({ slug: 'sibling', canonical_url: 'https://demo.test/posts/own/' }),
    ];
    const inputs = makeInputs({ items });
    const index = createSiteIndex(inputs);
    const [map] = makeSitemap(index, 'https://demo.test').parts.map(({ value }) => String(value.data));
    const listed = [...map!.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url);
    expect(listed.sort()).toEqual([
      'https://demo.test/',
      'https://demo.test/posts/own/',
      'https://demo.test/posts/same/',
    ]);
    const { pages } = renderSnapshot({
      inputs,
      templates: { ...shell, 'post.twig': 'post', 'page.twig': 'page' },
      bodies: Object.fromEntries(items.map(({ id }) => [id, ''])),
    });
    const feed = pages.get('/feed.xml')!.html;
    for (const { slug } of items) expect(feed).toContain(`<link>https://demo.test/posts/${slug}/</link>`);
  });
});
