import { expect, test } from '@jest/globals';
import { assignTemplates } from '../../../services/build/assign-templates.ts';
import { planPages } from '../../../services/build/pages.ts';
import { createRenderSession } from '../../../services/build/render/session.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';
import { makeInputs, makeItem, noComponentParts } from './snapshot.ts';

const templates = {
  'home.twig': '{% for p in posts() %}{{ p.body }}{% endfor %}',
  'archive.twig': '',
  '404.twig': '',
  'post.twig': '{{ page.body }}',
  'page.twig': '',
};

const hashes = Object.fromEntries(Object.entries(templates).map(([name, text]) => [name, hashBytes(text)]));

/** Opens a session that may cache hardly anything, and renders each page separately. */
function openSession() {
  const items = [makeItem({ slug: 'a' }), makeItem({ slug: 'b' }), makeItem({ slug: 'c' })];
  const inputs = makeInputs({ items });
  const pages = [...assignTemplates(planPages(createSiteIndex(inputs)), templates).values()];
  const noReact = { render: () => '', close: () => undefined };
  const session = createRenderSession(
    {
      inputs,
      siteUrl: '',
      assetPaths: [],
      translations: {},
      templates: hashes,
      components: {},
      componentParts: noComponentParts,
      preview: false,
    },
    noReact,
    { maxCharacters: 10 },
  );
  const bodies = new Map(items.map(({ id, slug }) => [id, `<p>${slug.repeat(20)}</p>`]));
  const render = (path: string, ids: readonly string[]) =>
    session.render({
      pages: pages.filter(({ plan }) => plan.path === path),
      bodies: new Map(ids.map((id) => [id, bodies.get(id)!])),
      sources: new Map(Object.entries(templates)),
    })[0]!;
  return { items, bodies, render };
}

test('a session forgets bodies of pages that are done, and a page that needs one of them asks for it', () => {
  const { items, render } = openSession();
  const [a, b, c] = items.map(({ id }) => id) as [string, string, string];
  render('/posts/a/', [a]);
  render('/posts/b/', [b]);
  expect(render('/', [c])).toMatchObject({ kind: 'bodies', itemIds: expect.arrayContaining([a, b]) });
});

test('it keeps what it was sent for a page until the page is made', () => {
  const { items, bodies, render } = openSession();
  const [a, b, c] = items.map(({ id }) => id) as [string, string, string];
  expect(render('/', [a])).toMatchObject({ kind: 'bodies' });
  expect(render('/', [b])).toMatchObject({ kind: 'bodies' });
  expect(render('/', [c])).toMatchObject({
    kind: 'page',
    page: { html: [c, b, a].map((id) => bodies.get(id)).join('') },
  });
});
