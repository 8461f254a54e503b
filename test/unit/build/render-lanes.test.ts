import { describe, expect, test } from '@jest/globals';
import { assignTemplates } from '../../../services/build/assign-templates.ts';
import { planPages } from '../../../services/build/pages.ts';
import type { RenderLane, RenderReply, RenderRequest } from '../../../services/build/render/protocol.ts';
import { renderPages } from '../../../services/build/render-pages.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { makeInputs, makeItem } from './snapshot.ts';

const templates = Object.fromEntries(
  ['home', 'archive', '404', 'post', 'page'].map((name) => [`${name}.twig`, { hash: name, bytes: 1 }]),
);
const items = Array.from({ length: 1200 }, (_, n) => makeItem({ slug: `p${n}` }));
const index = createSiteIndex(makeInputs({ items }));
const pages = [...assignTemplates(planPages(index), templates).values()];
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

type Reply = (request: RenderRequest, lane: number) => Promise<RenderReply[] | null>;

const rendered = ({ pages: own }: RenderRequest): RenderReply[] =>
  own.map(({ plan: { path } }) => ({ kind: 'page', page: { path, html: path, reads: [], components: [] } }));

/** Renders all pages with a session of these extra lanes; counts the bodies that are read and not yet rendered. */
async function run(extraLanes: number, reply: Reply) {
  const held = new Set<string>();
  const seen = { paths: [] as string[], mostHeld: 0, lanes: new Set<number>(), closed: 0, opened: 0 };
  const lane = (number: number): RenderLane => ({
    async render(request) {
      seen.lanes.add(number);
      await turn();
      return reply(request, number);
    },
    close: () => void seen.closed++,
  });
  const session = { ...lane(0), extraLanes, extraLane: () => lane(++seen.opened) };
  await renderPages(
    session,
    pages,
    index,
    {
      async readBodies(wanted) {
        await turn();
        for (const { id } of wanted) held.add(id);
        seen.mostHeld = Math.max(seen.mostHeld, held.size);
        return new Map(wanted.map(({ id }) => [id, 'body']));
      },
      openSources: () => ({ next: async () => new Map() }),
    },
    {
      onPage({ path }, { plan }) {
        seen.paths.push(path);
        if (plan.itemId) held.delete(plan.itemId);
      },
      onBatch: async () => undefined,
    },
  );
  return seen;
}

const allPaths = pages.map(({ plan }) => plan.path).sort();

describe('pages of a large build', () => {
  test('are rendered once each, in all lanes, which are closed', async () => {
    const seen = await run(3, async (request) => rendered(request));
    expect(seen.paths.toSorted()).toEqual(allPaths);
    expect([...seen.lanes].sort()).toEqual([0, 1, 2, 3]);
    expect(seen.closed).toBe(seen.opened);
  });

  test.each([0, 1, 3])('are in memory with at most two batches per lane, with %d extra lanes', async (extraLanes) => {
    const { mostHeld } = await run(extraLanes, async (request) => rendered(request));
    expect(mostHeld).toBeLessThanOrEqual((extraLanes + 1) * 2 * 50);
    expect(mostHeld).toBeGreaterThan(50);
  });

  test('are rendered elsewhere when an extra lane has to return its renderer, with what it had read ahead', async () => {
    const calls = new Map<number, number>();
    const seen = await run(2, async (request, lane) => {
      calls.set(lane, (calls.get(lane) ?? 0) + 1);
      return lane > 0 && calls.get(lane)! > 2 ? null : rendered(request);
    });
    expect(seen.paths.toSorted()).toEqual(allPaths);
    expect(seen.closed).toBe(seen.opened);
  });

  test('are rendered by the session when all extra lanes end', async () => {
    const seen = await run(2, async (request, lane) => (lane > 0 ? null : rendered(request)));
    expect(seen.paths.toSorted()).toEqual(allPaths);
  });

  test('of which a lane renders a few at a time, as its time slice allows, are all rendered', async () => {
    const seen = await run(2, async (request) => rendered(request).slice(0, 7));
    expect(seen.paths.toSorted()).toEqual(allPaths);
  });
});

describe('of several faults', () => {
  const fault = (path: string): RenderReply => ({
    kind: 'fault',
    fault: { path, message: 'is wrong', template: '', line: 0, column: 0 },
  });
  const [early, late] = [pages[120]!.plan.path, pages[180]!.plan.path];

  test.each([0, 1])('the first in the order of the plan is reported, also if lane %d is slow', async (slow) => {
    const wrong = new Set([early, late]);
    const failing = run(1, async (request, lane) => {
      if (lane === slow) for (let n = 0; n < 20; n++) await turn();
      return rendered(request).map((reply) =>
        reply.kind === 'page' && wrong.has(reply.page.path) ? fault(reply.page.path) : reply,
      );
    });
    await expect(failing).rejects.toThrow(`The page ${early} could not be rendered. is wrong`);
  });

  test('no further batch is rendered after one', async () => {
    let batches = 0;
    const failing = run(0, async (request) => {
      batches++;
      return rendered(request).map((reply) => (reply.kind === 'page' ? fault(reply.page.path) : reply));
    });
    await expect(failing).rejects.toThrow('is wrong');
    expect(batches).toBe(1);
  });
});

test('an error in one lane ends the others before the build fails', async () => {
  let running = 0;
  const failing = run(2, async (request, lane) => {
    running++;
    for (let n = 0; n < 5 * (lane + 1); n++) await turn();
    running--;
    if (lane === 1) throw new Error('the renderer is lost');
    return rendered(request);
  });
  await expect(failing).rejects.toThrow('the renderer is lost');
  expect(running).toBe(0);
});

test('a small build uses one renderer', async () => {
  const few = pages.slice(0, 100);
  let extra = 0;
  const session = {
    render: async (request: RenderRequest) => rendered(request),
    close() {},
    extraLanes: 3,
    extraLane() {
      extra++;
      return null;
    },
  };
  await renderPages(
    session,
    few,
    index,
    {
      readBodies: async (wanted) => new Map(wanted.map(({ id }) => [id, ''])),
      openSources: () => ({ next: async () => new Map() }),
    },
    { onPage: () => undefined, onBatch: async () => undefined },
  );
  expect(extra).toBe(0);
});
