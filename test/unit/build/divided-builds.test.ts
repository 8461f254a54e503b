import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type BaseRelease,
  ContentFault,
  openSharedBuild,
  renderShards,
  type ShardState,
  type Shards,
} from '../../../services/build/index.ts';
import { sized } from '../../harness/long-form.ts';
import { changes, startingPoint } from './edits.ts';
import type { Snapshot } from './snapshot.ts';
import { build, contentOf, createStore, depsOf, type Store, watch } from './whole-builds.ts';

/** How a build in a test is divided, and what its workers did. */
interface Plan {
  /** Pages per shard. */
  pages: number;
  /** Which shards another worker renders; it reads the build from the store. */
  isElsewhere(number: number): boolean;
  /** Which shards are first taken by a worker that is lost, and free afterwards. */
  isLost?(number: number): boolean;
}

/** Keeps shards in memory. The other worker renders as soon as the build is offered, at the same time as this one. */
function divide(store: Store, snapshot: Snapshot, { pages, isElsewhere, isLost = () => false }: Plan) {
  const done: number[] = [];
  const shards: Shards = {
    pages,
    async open(count) {
      const rows = Array.from({ length: count }, (_, number): ShardState & { reads: number } => ({
        ...{ number, state: isLost(number) ? 'taken' : 'free', pages: null, fault: null },
        reads: 0,
      }));
      const desk = (mayTake: (number: number) => boolean) => ({
        async take() {
          const end = rows.find(({ state }) => state === 'fault')?.number ?? count;
          const free = rows.find(({ number, state }) => state === 'free' && number < end && mayTake(number));
          if (!free) return null;
          free.state = 'taken';
          return free.number;
        },
        async finish(number: number, kept: ShardState['pages']) {
          done.push(number);
          Object.assign(rows[number]!, { state: 'done', pages: kept });
        },
        async fail(number: number, fault: string) {
          Object.assign(rows[number]!, { state: 'fault', fault });
        },
      });
      let helping: Promise<void> | null = null;
      async function help(hash: string): Promise<void> {
        const deps = depsOf(store, snapshot);
        const shared = await openSharedBuild(deps, hash, () => undefined);
        await renderShards(deps, shared, desk(isElsewhere), watch, { onBatch() {}, onShard() {} });
        for (const row of rows) if (row.state === 'taken' && isElsewhere(row.number)) row.state = 'free';
      }
      const own = desk((number) => !isElsewhere(number));
      return {
        ...own,
        isShared: true,
        async offer(hash) {
          helping = help(hash);
          await helping;
        },
        async read() {
          for (const row of rows)
            if (isLost(row.number) && row.state === 'taken' && ++row.reads > 2) row.state = 'free';
          // what the other worker has not begun is taken for this one
          return rows.map((row) => ({
            ...row,
            state: row.state === 'free' && isElsewhere(row.number) ? 'taken' : row.state,
          }));
        },
        renderedElsewhere: () => 0,
        async giveBack() {
          for (const row of rows)
            if (row.state === 'taken' && !isElsewhere(row.number) && !isLost(row.number)) row.state = 'free';
        },
        async close() {
          await helping;
        },
      };
    },
  };
  return { shards, done };
}

async function expectEqual(plan: Plan, script: readonly (readonly [kind: string, n: number])[]): Promise<void> {
  const store = createStore();
  const snapshot = startingPoint();
  let base: BaseRelease | null = null;
  for (const [kind, n] of [...script, ['none', 0] as const]) {
    const { shards, done } = divide(store, snapshot, plan);
    const bases: BaseRelease[] = base ? [base] : [];
    const divided = await build(store, snapshot, bases, { shards });
    const alone = await build(store, snapshot, bases);
    expect(contentOf(divided)).toBe(contentOf(alone));
    expect({ ...divided.release.why, pages: divided.pages }).toEqual({ ...alone.release.why, pages: alone.pages });
    expect(divided.release.changed).toBe(alone.release.changed);
    expect(divided.release.warnings).toEqual(alone.release.warnings);
    const files = Object.values(
      divided.base.manifest.tree.leaves.flatMap((leaf) => (leaf ? [leaf.content.files] : [])),
    );
    const referred = new Set(divided.release.hashes);
    // what the release has from its base is pinned by that
    if (!base) for (const [hash] of files.flatMap((one) => Object.values(one))) expect(referred.has(hash)).toBe(true);
    const shardCount = Math.ceil(divided.pages.rendered / plan.pages);
    expect(done.toSorted((a, b) => a - b)).toEqual(
      divided.pages.rendered >= 4 * plan.pages ? Array.from({ length: shardCount }, (_, number) => number) : [],
    );
    base = divided.base;
    changes[kind]?.(snapshot, n);
  }
}

describe('a build whose pages are divided', () => {
  test('has the bytes, reasons and references of a build in one worker, however its shards are distributed', async () => {
    const edit = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(1000));
    const plan = fc.record({
      pages: fc.integer({ min: 1, max: 7 }),
      elsewhere: fc.bigInt({ min: 0n, max: 2n ** 64n }),
    });
    await fc.assert(
      fc.asyncProperty(plan, fc.array(edit, { maxLength: 3 }), ({ pages, elsewhere }, script) =>
        expectEqual({ pages, isElsewhere: (n) => ((elsewhere >> BigInt(n % 64)) & 1n) === 1n }, script),
      ),
      { numRuns: sized(25, 150), examples: [[{ pages: 3, elsewhere: 0b10101n }, [['locales', 0]]]] },
    );
  }, 600_000);

  test('renders shards of a lost worker itself', async () => {
    await expectEqual({ pages: 3, isElsewhere: (n) => n === 1, isLost: (n) => n === 2 || n === 4 }, []);
  });

  test.each([
    ['this worker has the first', 0, 3],
    ['another worker has the first', 1, 2],
  ])('reports the first fault of the plan: %s', async (_case, parity, wrong) => {
    const store = createStore();
    const snapshot = startingPoint();
    snapshot.templates['post.twig'] =
      `{% if page.tags|first == 'wrong' %}{{ include(page.title ~ '.twig') }}{% endif %}`;
    for (const n of [wrong, wrong + 3, wrong + 4]) snapshot.inputs.items[n]!.tags = ['wrong'];
    const message = (of: Promise<unknown>) =>
      of.then(
        () => 'no fault',
        (error: unknown) => (error instanceof ContentFault ? error.message : Promise.reject(error)),
      );
    const alone = await message(build(store, snapshot, []));
    expect(alone).toContain('could not be rendered');
    const { shards } = divide(store, snapshot, { pages: 2, isElsewhere: (n) => n % 2 === parity });
    expect(await message(build(store, snapshot, [], { shards }))).toBe(alone);
  });

  test('is not divided if it has few pages', async () => {
    const store = createStore();
    const snapshot = startingPoint();
    const { shards, done } = divide(store, snapshot, { pages: 1000, isElsewhere: () => false });
    await build(store, snapshot, [], { shards });
    expect(done).toEqual([]);
  });
});
