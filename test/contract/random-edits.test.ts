import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeStack, publish, stack, stackDatabase } from '../harness/api.ts';
import { crawlEdge } from '../harness/crawl.ts';
import { applyEdit, type EditedSite, edits, makeEditedSite } from '../harness/random-edits.ts';

// `npm run test:random-edits` is the long form, on both runtimes
const long = process.env.FIELDSTONE_TEST_LONG === 'true';
const rounds = long ? 250 : 14;
const editsPerRound = 12;

afterAll(closeStack);

/** Returns what visitors get: of every page that leads to others, and of every URL that an item has had. */
function readLive({ site, paths }: EditedSite): Promise<Map<string, string>> {
  const base = `/sites/${site.slug}/`;
  return crawlEdge(stack.edges[0]!, [...paths, ...['feed.xml', 'sitemap.xml', 'missing/'].map((name) => base + name)]);
}

/**
 * Publishes the same state with no earlier release to reuse, and with all items read again. A preview that a shell edit has queued may become such a
 * release meanwhile; then it publishes once more.
 */
async function publishInFull({ site }: EditedSite): Promise<void> {
  for (;;) {
    await stackDatabase().query(
      `UPDATE sites SET live_release = NULL, preview_release = NULL, content_epoch = gen_random_uuid() WHERE id = $1`,
      [site.id],
    );
    const { result } = await publish(site);
    if (result.reused === 0) return;
  }
}

test(
  'after random edits over REST, an incremental release equals a full one byte for byte',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const edit = fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat(1000));
    const script = fc.sample(fc.array(edit, { minLength: editsPerRound, maxLength: editsPerRound }), {
      seed,
      numRuns: rounds,
    });
    const world = await makeEditedSite();
    await publish(world.site);
    const statuses: number[] = [];
    let reused = 0;
    for (const [round, chosen] of script.entries()) {
      const context = JSON.stringify({ seed, round, chosen });
      for (const one of chosen) statuses.push(await applyEdit(world, one));
      const { result } = await publish(world.site);
      reused += result.reused;
      const incremental = await readLive(world);
      await publishInFull(world);
      const full = await readLive(world);
      expect({ context, paths: [...incremental.keys()].sort() }).toEqual({ context, paths: [...full.keys()].sort() });
      const different = [...full].filter(([path, reply]) => incremental.get(path) !== reply).map(([path]) => path);
      expect({ context, different }).toEqual({ context, different: [] });
      // the next round continues from the incremental release, so that a fault would stay
      const restored = 'UPDATE sites SET live_release = $2 WHERE id = $1';
      await stackDatabase().query(restored, [world.site.id, result.release]);
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(statuses.length / 2);
    expect(reused).toBeGreaterThan(0);
  },
  long ? 7_200_000 : 1_200_000,
);
