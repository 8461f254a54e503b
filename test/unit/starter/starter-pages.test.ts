import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ItemInput, SiteInput } from '../../../services/build/model.ts';
import { planPages } from '../../../services/build/pages.ts';
import { createPageLog } from '../../../services/build/render/page-log.ts';
import { createPageScope } from '../../../services/build/render/page-scope.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { readStarterShell } from '../../../services/features/shell/starter/index.ts';
import { createTwigEnvironment } from '../../../services/twig/index.ts';
import { makeItem } from '../build/snapshot.ts';

const shell = new Map((await readStarterShell()).map(({ path, bytes }) => [path, bytes.toString('utf8')]));

const site: SiteInput = {
  id: 's',
  slug: 'demo',
  name: 'Tom & Co <b>',
  domain: 'tom.example',
  default_locale: 'en',
  locales: [{ locale: 'en' }, { locale: 'de' }, { locale: 'ar' }],
  settings: {},
};

function item(id: number, members: Partial<ItemInput>): ItemInput {
  return makeItem({
    id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    title: `Post ${id}`,
    slug: `post-${id}`,
    published_at: '2026-03-05T10:00:00Z',
    created_at: '2026-03-05T10:00:00Z',
    updated_at: '2026-03-05T10:00:00Z',
    order: [id, id],
    ...members,
  });
}

/** Renders every page of a site as the build does, by path, with the reads of each page. */
function renderSite(items: ItemInput[], settings: SiteInput['settings'] = {}) {
  const media = { components: [], redirects: [], scripts: [], media: [] };
  const index = createSiteIndex({ site: { ...site, settings }, items, shell: [], ...media });
  const pages = new Map<string, { html: string; reads: Set<string> }>();
  for (const plan of planPages(index)) {
    const template = plan.templates.find((name) => shell.has(name));
    if (template === undefined) continue;
    const log = createPageLog();
    const data = {
      ...{ index, siteUrl: 'https://tom.example', translations: JSON.parse(shell.get('translations.json') ?? '{}') },
      assetPaths: new Map([...shell.keys()].map((path) => [path, `/_assets/${path}`])),
      bodies: new Map(items.map(({ id, title }) => [id, `<p>Body of ${title}</p>`])),
      preview: false,
      renderComponent: () => null,
    };
    const { context, functions } = createPageScope(data, plan, log);
    const getSource = (name: string) => {
      const source = shell.get(name);
      return source === undefined ? null : { source, hash: createHash('sha256').update(source).digest('hex') };
    };
    pages.set(plan.path, {
      html: createTwigEnvironment({ getSource, functions }).render(template, context),
      reads: log.reads,
    });
  }
  const html = (path: string) => pages.get(path)?.html ?? '';
  return { html, pages };
}

const page = item(1, { type: 'page', title: 'About', slug: 'about' });

describe('pages of the starter shell', () => {
  test('a site without content has a complete home, archive and 404 page', () => {
    const { html } = renderSite([]);
    for (const path of ['/', '/posts/', '/404.html']) {
      expect(html(path)).toContain('<title>');
      expect(html(path)).toContain('Tom &amp; Co &lt;b&gt;');
      expect(html(path).match(/<h1/g)).toHaveLength(1);
      expect(html(path)).toContain('</body>');
    }
    expect(html('/')).toContain('Nothing has been published yet.');
    expect(html('/404.html')).toContain('content="noindex"');
  });

  test('text from outside is escaped and the body is not', () => {
    const { html } = renderSite([item(1, { title: '<i>"x"</i>', excerpt: '<u>', author: '<s>', tags: ['<q>'] })]);
    expect(html('/posts/post-1/')).toContain('&lt;i&gt;&quot;x&quot;&lt;/i&gt;');
    expect(html('/posts/post-1/')).toContain('<p>Body of <i>"x"</i></p>');
    for (const path of ['/', '/posts/', '/posts/post-1/']) {
      expect(html(path).replace(/<p>Body.*<\/p>/, '')).not.toMatch(/<[isuq]>/);
    }
  });

  test('no text of a site is markup, a link that runs or a template on any page', () => {
    const hostile = (name: string) => `${name}]]></title></script>"'><script>alert(1)</script>{{7*7}}&amp;\u2028`;
    const texts = { title: hostile('t'), excerpt: hostile('e'), author: hostile('a'), tags: [hostile('tag')] };
    const items = ['post', 'page', 'recipe'].map((type, at) =>
      item(at + 1, { ...texts, type, seo_title: hostile('seo'), seo_description: hostile('description') }),
    );
    const nav = [{ label: hostile('nav'), url: hostile('url') }];
    const settings = {
      nav,
      tagline: hostile('t'),
      description: hostile('d'),
      footer: hostile('f'),
      accent: hostile('a'),
    };
    const { pages } = renderSite(items, settings);
    expect(pages.size).toBeGreaterThan(6);
    for (const { html } of pages.values()) {
      const own = html.replace(/<p>Body[\s\S]*?<\/p>/g, '');
      expect(own).not.toMatch(/<script>alert|href="(?:javascript|\/\/)/i);
      expect(own).not.toMatch(/[^0-9]49[^0-9]/);
    }
  });

  test('links inside the site are relative, and canonical ones absolute', () => {
    const { html } = renderSite([page, item(2, {})]);
    expect(html('/posts/post-2/')).toContain('href="../../about/"');
    expect(html('/posts/post-2/')).toContain('href="../../_assets/style.css"');
    expect(html('/posts/post-2/')).toContain('<link rel="canonical" href="https://tom.example/posts/post-2/">');
    expect(html('/posts/post-2/').match(/<a [^>]*href="(?:https?:|\/)/g)).toBeNull();
  });

  test('a page names the canonical_url of its item, for links and for social media', () => {
    const canonical_url = 'https://first.example/?a=1&b=2';
    const post = renderSite([item(2, { canonical_url })]).html('/posts/post-2/');
    expect(post.match(/<link rel="canonical" href="[^"]*">/g)).toEqual([
      '<link rel="canonical" href="https://first.example/?a=1&amp;b=2">',
    ]);
    expect(post).toContain('<meta property="og:url" content="https://first.example/?a=1&amp;b=2">');
  });

  test('the page one is on is marked in the menu', () => {
    expect(renderSite([page]).html('/about/')).toContain('<a href="./" aria-current="page">About</a>');
  });

  test('a menu, an accent, a tagline and a footer come from the settings, and only safe links get in', () => {
    const nav = [
      ...[
        { label: 'Us', url: '/about/' },
        { label: 'Bad', url: 'javascript:alert(1)' },
      ],
      ...[
        { label: 'Worse', url: '//evil.example' },
        { label: 'Out', url: 'https://out.example/' },
      ],
    ];
    const { html } = renderSite([page], { nav, accent: 'tarn', tagline: 'Tag & line', footer: 'Foot' });
    expect(html('/')).toContain('<a href="about/">Us</a>');
    expect(html('/')).toContain('<a href="https://out.example/">Out</a>');
    expect(html('/')).not.toMatch(/javascript:|evil/);
    expect(html('/')).toContain('data-accent="tarn"');
    expect(html('/')).toContain('Tag &amp; line');
    expect(html('/')).toContain('Foot');
  });

  test('translations are linked both ways, with the default one for everybody else', () => {
    const { html } = renderSite([
      page,
      item(2, { type: 'page', title: 'Über', slug: 'ueber', locale: 'de', translation_of: page.id }),
    ]);
    for (const path of ['/about/', '/de/ueber/']) {
      expect(html(path)).toContain('<link rel="alternate" hreflang="en" href="https://tom.example/about/">');
      expect(html(path)).toContain('<link rel="alternate" hreflang="x-default" href="https://tom.example/about/">');
      expect(html(path)).toContain('<link rel="alternate" hreflang="de" href="https://tom.example/de/ueber/">');
    }
    expect(html('/about/')).toMatch(/<a href="..\/de\/ueber\/" hreflang="de" lang="de"[^>]*>Deutsch<\/a>/);
  });

  test('each language has its own words, dates and direction', () => {
    const { html } = renderSite([item(1, {}), item(2, { locale: 'de' })]);
    expect(html('/posts/post-1/')).toContain('<time datetime="2026-03-05T10:00:00Z">March 5, 2026</time>');
    expect(html('/de/posts/post-2/')).toContain('>5. März 2026</time>');
    expect(html('/de/posts/post-2/')).toContain('Zum Inhalt springen');
    expect(html('/ar/')).toContain('<html lang="ar" dir="rtl"');
  });

  test('an archive leads through all its pages, each post once', () => {
    const { html } = renderSite(Array.from({ length: 25 }, (_, at) => item(at + 1, {})));
    const seen: string[] = [];
    for (let path = '/posts/', guard = 0; path !== '' && guard < 9; guard++) {
      seen.push(...[...html(path).matchAll(/<h3[^>]*><a[^>]*>([^<]+)/g)].map((match) => match[1] ?? ''));
      const next = /rel="next" href="([^"]+)"/.exec(html(path))?.[1];
      path = next === undefined ? '' : new URL(next, `https://tom.example${path}`).pathname;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `Post ${25 - at}`));
  });

  test('a post shows others of its first tag, and one without a tag reads no list of posts', () => {
    const { html, pages } = renderSite([item(1, { tags: ['Stone'] }), item(2, { tags: ['Stone'] }), item(3, {})]);
    expect(html('/posts/post-1/')).toContain('More on Stone');
    expect(html('/posts/post-1/')).toContain('<a href="../post-2/">Post 2</a>');
    const listsRead = (path: string) => [...(pages.get(path)?.reads ?? [])].filter((read) => read.startsWith('posts'));
    expect(listsRead('/posts/post-1/')).toHaveLength(1);
    expect(listsRead('/posts/post-3/')).toEqual([]);
  });
});
