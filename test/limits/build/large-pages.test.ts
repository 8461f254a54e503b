import { afterAll, expect, test } from '@jest/globals';
import { assignTemplates } from '../../../services/build/assign-templates.ts';
import { createBodyReader } from '../../../services/build/bodies.ts';
import { finishHtml } from '../../../services/build/page-parts.ts';
import { planPages } from '../../../services/build/pages.ts';
import type { PlannedPage, RenderRequest } from '../../../services/build/render/protocol.ts';
import { createRenderer } from '../../../services/build/render/renderer.ts';
import { renderPages } from '../../../services/build/render-pages.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import type { Db } from '../../../services/core/db.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';
import { makeInputs, makeItem, noComponentParts } from '../../unit/build/snapshot.ts';

const renderer = createRenderer();
afterAll(() => renderer.close());

const bodyCharacters = 2_000_000;
const templates = {
  'home.twig': '',
  'archive.twig': '',
  '404.twig': '',
  'page.twig': '',
  'post.twig': '{{ page.body }}',
};
const items = Array.from({ length: 12 }, () => makeItem());
const inputs = makeInputs({ items });
const index = createSiteIndex(inputs);
const hashes = Object.fromEntries(Object.entries(templates).map(([name, text]) => [name, hashBytes(text)]));
const pages = [...assignTemplates(planPages(index), hashes).values()].filter(({ plan }) => plan.kind === 'item');

/** A body of only links, which are made relative one by one. */
const linkText = '<p><a href="/posts/">all</a></p>';
const bodies = new Map(items.map(({ id }) => [id, linkText.repeat(bodyCharacters / linkText.length) + id]));

/** Creates a store of these bodies: each is an object, named by its item. */
function openBodies() {
  const read: string[] = [];
  const rows = items.map(({ id, revision }) => ({ id, revision, body_html: '', body_hash: id }));
  const db: Db = { query: async () => rows as never };
  const getBytes = async (id: string) => {
    read.push(id);
    return Buffer.from(bodies.get(id)!);
  };
  return { read, readBodies: createBodyReader(db, { getBytes }) };
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

// rule: threat.22
test('pages of many large bodies are finished in their renderer, and sent to it and back a few at a time', async () => {
  const { read, readBodies } = openBodies();
  const session = renderer.open(
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
    new AbortController().signal,
  );
  const sent: number[] = [];
  const replied: number[] = [];
  const watched = {
    extraLanes: 0,
    extraLane: () => null,
    close: () => session.close(),
    async render(request: RenderRequest) {
      sent.push([...request.bodies.values()].reduce((sum, { length }) => sum + length, 0));
      const replies = (await session.render(request))!;
      replied.push(replies.reduce((sum, reply) => sum + (reply.kind === 'page' ? reply.page.html.length : 0), 0));
      return replies;
    },
  };
  const htmlOf = new Map<PlannedPage, string>();
  const before = process.threadCpuUsage();
  await renderPages(
    watched,
    pages,
    index,
    { readBodies, openSources: () => ({ next: async () => new Map(Object.entries(templates)) }) },
    { onPage: (rendered, page) => htmlOf.set(page, rendered.html), onBatch: async () => undefined },
  );
  const usedMs = cpuMs(process.threadCpuUsage(before));
  session.close();

  expect(htmlOf.size).toBe(items.length);
  expect(read).toHaveLength(items.length);
  for (const characters of [...sent, ...replied]) expect(characters).toBeLessThan(4_000_000 + 1.5 * bodyCharacters);

  const alone = process.threadCpuUsage();
  for (const [{ plan }, html] of htmlOf) {
    const body = bodies.get(plan.itemId!)!;
    expect(finishHtml(body, plan, [], { components: noComponentParts, scripts: [] })).toBe(html);
  }
  // the cost in this thread, where every other site's build would wait for it
  expect(usedMs).toBeLessThan(cpuMs(process.threadCpuUsage(alone)));
}, 120_000);
