import { expect, test } from '@jest/globals';
import { assignTemplates } from '../../../services/build/assign-templates.ts';
import { planPages } from '../../../services/build/pages.ts';
import { createRenderSession, type MemoryLimits } from '../../../services/build/render/session.ts';
import { renderPages } from '../../../services/build/render-pages.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { createSourceFeed } from '../../../services/build/source-feed.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';
import { makeInputs, noComponentParts } from './snapshot.ts';

/** Returns text of a template's size that renders to nothing. */
const filler = (bytes: number) => `{# ${'x'.repeat(bytes)} #}`;

/** Opens a shell of these templates as a build does, and records which of them were read from the store. */
function openShell(texts: Record<string, string>) {
  const entries = Object.entries(texts).map(([name, text]) => [name, { hash: hashBytes(text), bytes: text.length }]);
  const templates = Object.fromEntries(entries) as Record<string, { hash: string; bytes: number }>;
  const names = new Map(Object.entries(templates).map(([name, { hash }]) => [hash, name]));
  const read: string[] = [];
  const getBytes = async (hash: string) => {
    read.push(names.get(hash)!);
    return Buffer.from(texts[names.get(hash)!]!);
  };
  return { templates, read, feed: createSourceFeed(templates, { getBytes }) };
}

/** Renders the pages of a site without content with these templates. */
async function renderBare(texts: Record<string, string>, limits: MemoryLimits = {}) {
  const { templates, read, feed } = openShell(texts);
  const inputs = makeInputs();
  const index = createSiteIndex(inputs);
  const hashes = Object.fromEntries(Object.entries(templates).map(([name, { hash }]) => [name, hash]));
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
    { render: () => '', close: () => undefined },
    limits,
  );
  const pages = new Map<string, string>();
  await renderPages(
    { render: async (ask) => session.render(ask), close: () => undefined, extraLanes: 0, extraLane: () => null },
    [...assignTemplates(planPages(index), templates).values()],
    index,
    { readBodies: async () => new Map(), openSources: () => feed },
    { onPage: (page) => pages.set(page.path, page.html), onBatch: async () => undefined },
  );
  return { pages, read };
}

// rule: threat.23
test('templates that no page needs stay in the store when a shell is large', async () => {
  const unused = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`z${n}.twig`, filler(900_000 + n)]));
  const { pages, read } = await renderBare({
    ...unused,
    'home.twig': '{% include "part.twig" %}',
    'part.twig': `part ${filler(500_000)}`,
    'archive.twig': 'archive',
    '404.twig': '{% include "nope.twig" ignore missing %}missing',
  });
  expect(pages.get('/')).toBe('part ');
  expect(read).toContain('part.twig');
  expect(read.filter((name) => name.startsWith('z')).length).toBeLessThan(3);
});

test('those of an ordinary shell are sent at once, and none is read twice', async () => {
  const { read } = await renderBare({
    'home.twig': '{% include "a.twig" %}',
    'a.twig': '{% include "b.twig" %}',
    'b.twig': 'b',
    'archive.twig': 'archive',
    '404.twig': 'missing',
  });
  expect(read.sort()).toEqual(['404.twig', 'a.twig', 'archive.twig', 'b.twig', 'home.twig']);
});

test('a page whose templates never fit ends as a fault of its author', async () => {
  const large = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`z${n}.twig`, filler(300_000 + n)]));
  const home = '{% for n in 0..4 %}{{ source("z" ~ n ~ ".twig")|length }}{% endfor %}';
  const fails = renderBare(
    { ...large, 'home.twig': home, 'archive.twig': '', '404.twig': 'x' },
    { maxSourceCharacters: 400_000 },
  );
  await expect(fails).rejects.toThrow('The page / exceeds the limit of template text per page.');
});
