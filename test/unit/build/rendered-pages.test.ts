import { describe, expect, test } from '@jest/globals';
import { makeInputs, makeItem, makeMedia, renderSnapshot } from './snapshot.ts';

const bare = {
  'home.twig': 'home',
  'archive.twig': 'archive',
  '404.twig': 'missing',
  'page.twig': '{{ page.body }}',
  'post.twig': '{{ page.body }}',
};

function renderBody(body: string, members: Partial<Parameters<typeof renderSnapshot>[0]> = {}) {
  const item = makeItem({ type: 'page', slug: 'a' });
  const inputs = makeInputs({ ...members.inputs, items: [item] });
  return renderSnapshot({ templates: bare, bodies: { [item.id]: body }, ...members, inputs }).pages.get('/a/')!;
}

/** Returns what a page recorded as missing: place, kind and reference. */
const notes = ({ reads }: { reads: string[] }) =>
  reads.filter((key) => key.startsWith('missing:')).map((key) => JSON.parse(key.slice('missing:'.length)));

describe('images of the library in a body', () => {
  const media = makeMedia();
  const inputs = makeInputs({ media: [media] });

  test('become pictures with every variant, reserved size and alt text; all but the first are lazy', () => {
    const page = renderBody(`<p>x</p><img src="media:${media.id}"><img src="media:${media.id}" alt="Other">`, {
      inputs,
    });
    const [first = '', second = ''] = page.html.split('</picture>');
    expect(first).toContain('<source type="image/webp" srcset="../_assets/media/');
    expect(first).toMatch(/<img src="[^"]+\.jpg" srcset="[^"]+ 400w, [^"]+ 800w"/);
    expect(first).toContain('width="1200" height="800" alt="A picture"');
    expect(first).not.toContain('loading=');
    expect(second).toContain('alt="Other" loading="lazy"');
    expect(page.reads).toContain(`media:${media.id}`);
  });

  test.each([
    ['width="300"', 'width="300" height="200"'],
    ['height="200"', 'width="300" height="200"'],
    ['width="300px"', 'width="300px" height="200"'],
    ['width="10" height="10"', 'width="10" height="10"'],
    ['width="50%"', 'width="50%" alt='],
  ])('keep their proportions with %s', (given, expected) => {
    const page = renderBody(`<img src="media:${media.id}" ${given}>`, { inputs });
    expect(page.html).toContain(expected);
  });

  test('that are not there leave nothing, and the page notes the place and the image', () => {
    const gone = '00000000-0000-4000-8000-000000000000';
    const page = renderBody(`<p>a<img src="media:${gone}">b<img src="media:x&amp;y">c</p>`);
    expect(page.html).toBe('<p>abc</p>');
    expect(notes(page)).toEqual([
      ['body', 'media', gone],
      ['body', 'media', 'x&y'],
    ]);
  });

  test('keep their place in text with other markup byte for byte', () => {
    const html = `<p title="a > b">é&amp;<b>x</b><img src="media:${media.id}"></p><pre>\n  y</pre>`;
    const page = renderBody(html, { inputs });
    expect(page.html.replace(/<picture>.*<\/picture>/, '*')).toBe(
      '<p title="a > b">é&amp;<b>x</b>*</p><pre>\n  y</pre>',
    );
  });
});

describe('components in a body', () => {
  const note = { code: "{{ vars.n }}{{ url('/x/') }}" };

  test('are rendered with their vars, and the page knows that it shows them', () => {
    const body = `a<x-component handle="note" vars='{"n":"<1>"}'>inner</x-component>b`;
    const page = renderBody(body, { components: { note } });
    expect(page.html).toBe('a<x-component data-component="note">&lt;1&gt;../x/</x-component>b');
    expect(page.components).toEqual(['note']);
    expect(page.reads).toContain('component:note');
  });

  test('that are not there leave nothing, and the page notes the place and the handle', () => {
    const page = renderBody('a<x-component handle="nope"></x-component>b');
    expect([page.html, notes(page)]).toEqual(['ab', [['body', 'component', 'nope']]]);
  });

  test('that are not there say so in a preview, as text, and a live page is rendered anew', () => {
    const body = '<x-component handle="no&lt;b>pe"></x-component><img src="media:gone">';
    const page = renderBody(body, { preview: true });
    expect(page.html).toMatch(
      /^<span role="alert" data-missing="component"[^>]*>There is no component &quot;no&lt;b&gt;pe&quot;\.<\/span>/,
    );
    expect(page.html).toMatch(
      /<span role="alert" data-missing="media"[^>]*>There is no media item &quot;gone&quot;\.<\/span>$/,
    );
    expect(page.reads).toContain('target');
  });

  test('that a component shows are noted with the component', () => {
    const outer = { code: "{{ component('nope') }}" };
    const page = renderBody('<x-component handle="outer"></x-component>', { components: { outer } });
    expect(notes(page)).toEqual([['component outer', 'component', 'nope']]);
  });
});

test('what a template refers to is noted, a featured image by its member', () => {
  const gone = '00000000-0000-4000-8000-00000000000';
  const item = makeItem({ type: 'page', slug: 'a', featured_media_id: `${gone}1` });
  const template = `{{ media(page.featured_media_id).picture }}{{ media('${gone}2').url }}{{ media(null) }}{{ media('') }}`;
  const { pages } = renderSnapshot({
    inputs: makeInputs({ items: [item] }),
    templates: { ...bare, 'page.twig': template, 'home.twig': '{% for p in pages() %}{{ p.body }}{% endfor %}' },
    bodies: { [item.id]: '<x-component handle="nope"></x-component>' },
  });
  expect(notes(pages.get('/a/')!)).toEqual([
    ['featured_media_id', 'media', `${gone}1`],
    ['template', 'media', `${gone}2`],
  ]);
  expect(notes(pages.get('/')!)).toEqual([['body of /a/', 'component', 'nope']]);
});

describe('a fault', () => {
  test.each([
    ["{{ asset('gone.css') }}", "page.twig:1 asset('gone.css'): the shell has no such file."],
    ["\n{% include 'gone.twig' %}", 'page.twig:2 Template "gone.twig" is not defined.'],
    ['{{ x|gone }}', 'page.twig:1 Unknown "gone" filter.'],
  ])('in %j names its template, line and cause', (template, fault) => {
    const item = makeItem({ type: 'page' });
    const { faults } = renderSnapshot({
      inputs: makeInputs({ items: [item] }),
      templates: { ...bare, 'page.twig': template },
      bodies: { [item.id]: '' },
    });
    expect(faults).toEqual([fault]);
  });
});

test('a page that shows the body of another item asks for it', () => {
  const items = [makeItem(), makeItem()];
  const templates = { ...bare, 'home.twig': '{% for p in posts() %}{{ p.body }}{% endfor %}' };
  const { replies } = renderSnapshot({ inputs: makeInputs({ items }), templates, bodies: {} });
  expect(replies[0]).toEqual({ kind: 'bodies', path: '/', itemIds: expect.arrayContaining(items.map(({ id }) => id)) });
});

describe('languages', () => {
  const english = makeItem({ type: 'page', slug: 'about' });
  const french = makeItem({ type: 'page', slug: 'a-propos', locale: 'fr', translation_of: english.id });
  const inputs = makeInputs({ items: [english, french] });
  inputs.site.locales = [{ locale: 'en' }, { locale: 'fr' }];
  const templates = {
    ...bare,
    'page.twig':
      "{{ t('Hi') }} {{ url('/posts/') }} {% for x in page.translations %}{{ x.locale }}={{ x.url }} {{ url(x) }};{% endfor %}",
  };
  const { pages } = renderSnapshot({ inputs, templates, bodies: {}, translations: { fr: { Hi: 'Salut' } } });

  test('have their own home, archive, feed and 404 page', () => {
    for (const path of ['/', '/fr/', '/posts/', '/fr/posts/', '/feed.xml', '/fr/feed.xml', '/404.html', '/fr/404.html'])
      expect([...pages.keys()]).toContain(path);
  });
  test('know each other, and links stay in the language', () => {
    expect(pages.get('/fr/a-propos/')!.html).toBe(
      'Salut ../posts/ en=https://demo.test/about/ ../../about/;fr=https://demo.test/fr/a-propos/ ./;',
    );
    expect(pages.get('/about/')!.html).toBe(
      'Hi ../posts/ en=https://demo.test/about/ ./;fr=https://demo.test/fr/a-propos/ ../fr/a-propos/;',
    );
  });
});

test('a list of posts has at most a thousand', () => {
  const items = Array.from({ length: 1001 }, () => makeItem());
  const templates = {
    ...bare,
    'post.twig': 'x',
    'home.twig':
      '{{ posts({limit: 5000})|length }} {{ posts()|length }} {{ posts(3)|length }} {{ posts({limit: 0})|length }}',
  };
  const bodies = Object.fromEntries(items.map(({ id }) => [id, '']));
  const { pages } = renderSnapshot({ inputs: makeInputs({ items }), templates, bodies });
  expect(pages.get('/')!.html).toBe('1000 1000 3 0');
});

test('what an author writes is escaped unless it is marked safe', () => {
  const item = makeItem({ title: '<script>"&' });
  const templates = { ...bare, 'post.twig': '{{ page.title }}|{{ page.body }}' };
  const { pages } = renderSnapshot({
    inputs: makeInputs({ items: [item] }),
    templates,
    bodies: { [item.id]: '<p>x</p>' },
  });
  expect(pages.get(`/posts/${item.slug}/`)!.html).toBe('&lt;script&gt;&quot;&amp;|<p>x</p>');
});

test('a feed holds the newest posts with absolute addresses and no character that XML forbids', () => {
  const item = makeItem({ title: 'A & \u0001B', tags: ['x'] });
  const { pages } = renderSnapshot({
    inputs: makeInputs({ items: [item] }),
    templates: bare,
    bodies: { [item.id]: '<a href="/about/">x</a>' },
  });
  const { html } = pages.get('/feed.xml')!;
  expect(html).toContain('<title>A &amp; B</title>');
  expect(html).toContain('href=&quot;https://demo.test/about/&quot;');
});
