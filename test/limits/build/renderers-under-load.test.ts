import { afterAll, expect, test } from '@jest/globals';
import { assignTemplates } from '../../../services/build/assign-templates.ts';
import { planPages } from '../../../services/build/pages.ts';
import { createRenderer } from '../../../services/build/render/renderer.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';
import { makeInputs, noComponentParts } from '../../unit/build/snapshot.ts';

const renderer = createRenderer();
afterAll(() => renderer.close());

/** Opens a build that repeatedly renders a site whose home page is this template. */
function openBuild(home: string, signal = new AbortController().signal) {
  const texts = { 'home.twig': home, 'archive.twig': 'archive', '404.twig': 'missing' };
  const templates = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, hashBytes(text)]));
  const inputs = makeInputs();
  const planned = assignTemplates(planPages(createSiteIndex(inputs)), templates);
  const pages = [planned.get('/')!];
  const session = renderer.open(
    {
      inputs,
      siteUrl: '',
      assetPaths: [],
      translations: {},
      templates,
      components: {},
      componentParts: noComponentParts,
      preview: false,
    },
    signal,
  );
  const request = { pages, bodies: new Map<string, string>(), sources: new Map(Object.entries(texts)) };
  return { render: () => session.render(request), close: () => session.close() };
}

// rule: threat.22
test('pages without end of three sites do not keep the build of another from its renderer', async () => {
  let isOver = false;
  const endless = Array.from({ length: 3 }, () => openBuild('{% for i in 1..4000000 %}{% endfor %}'));
  const hostile = endless.map(async (build) => {
    let calls = 0;
    for (; !isOver; calls++) await build.render();
    build.close();
    return calls;
  });
  const modest = openBuild('home');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(await modest.render()).toMatchObject([{ kind: 'page', page: { html: 'home' } }]);
  modest.close();
  isOver = true;
  // they continued meanwhile, each in its turn
  for (const calls of await Promise.all(hostile)) expect(calls).toBeGreaterThan(0);
}, 180_000);

/** V8 can neither finish it nor pass it to its linear engine: only killing the renderer ends it. */
const endlessPattern = '{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" matches "/^(?=(a+)+b)(a+)+$/" }}';

// rule: threat.21
test('a build that is stopped waits neither for its page nor for a renderer, and its renderer is used again', async () => {
  const stopping = new AbortController();
  const reason = new Error('the build stops');
  const stopped = Array.from({ length: 5 }, () => openBuild(endlessPattern, stopping.signal));
  const rendering = stopped.map(async (build) => {
    await expect(build.render()).rejects.toBe(reason);
    build.close();
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  stopping.abort(reason);
  await Promise.all(rendering);
  const next = openBuild('home');
  expect(await next.render()).toMatchObject([{ kind: 'page', page: { html: 'home' } }]);
  next.close();
}, 180_000);
