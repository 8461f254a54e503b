import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BaseRelease, Produced } from '../../../services/build/index.ts';
import { readManifestTree } from '../../../services/build/release-tree/manifest-tree.ts';
import { countTracedPages, readTraceTree } from '../../../services/build/release-tree/trace-tree.ts';
import { sized } from '../../harness/long-form.ts';
import { changes, startingPoint } from './edits.ts';
import { build, contentOf, createStore, type Store } from './whole-builds.ts';

/** The release as another worker reads it. */
async function reread(store: Store, { base: { id }, release }: Produced): Promise<BaseRelease> {
  const manifest = await readManifestTree(store, release.manifestHash);
  return { id, manifest, trace: await readTraceTree(store, release.traceHash) };
}

/**
 * Returns what a build starts from: the release that the same worker made last, the same after the worker was started again
 * (or another worker made it), or the release before, to which the site was rolled back.
 */
function baseOf(n: number): 'memory' | 'restart' | 'rollback' {
  return n % 6 === 4 ? 'restart' : n % 6 === 5 ? 'rollback' : 'memory';
}

async function expectEqualBuilds(script: readonly (readonly [kind: string, n: number])[]): Promise<void> {
  const store = createStore();
  const snapshot = startingPoint();
  const redirects = [{ from: '/old/', to: '/', status: 301 }];
  snapshot.inputs.redirects = redirects;
  let last = await build(store, snapshot, []);
  let earlier: BaseRelease | null = null;
  for (const [number, [kind, n]] of script.entries()) {
    changes[kind]!(snapshot, n);
    if (n % 7 === 0) snapshot.inputs.items.reverse(); // the order in which items are read has no meaning
    const live = baseOf(n) === 'restart' ? await reread(store, last) : last.base;
    const bases = earlier ? [live, earlier] : [live];
    if (baseOf(n) === 'rollback') bases.reverse();
    // manifests in chunks and in one document alternate, as while edges are replaced by newer ones
    const incremental = await build(store, snapshot, bases, { writesChunks: async () => number % 3 > 0 });
    const full = await build(store, snapshot, []);
    expect(contentOf(incremental)).toBe(contentOf(full));
    expect(incremental.release.pages).toBe(full.release.pages);
    expect(incremental.release.bytes).toBe(full.release.bytes);
    earlier = live;
    last = incremental;
  }
}

test('after any sequence of edits, a build that reuses pages equals a full build byte for byte', async () => {
  const edit = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(1000));
  await fc.assert(fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), expectEqualBuilds), {
    numRuns: sized(25, 300),
    examples: [
      [Object.keys(changes).map((kind, n) => [kind, n] as [string, number])],
      [
        [
          ['locales', 0],
          ['locales', 1],
          ['removal', 13],
        ],
      ],
      // all in memory: two items share a path, the first goes, and the other gets the page
      [
        [
          ['collision', 0],
          ['title', 14],
          ['removal', 13],
          ['addition', 0],
          ['removal', 12],
        ],
      ],
    ],
  });
});

test('a build after a change of one body renders that page and the feed alone', async () => {
  const store = createStore();
  const snapshot = startingPoint();
  const first = await build(store, snapshot, []);
  changes['body']!(snapshot, 0);
  const { pages } = await build(store, snapshot, [first.base]);
  expect(pages).toEqual({ rendered: 2, reused: countTracedPages(first.base.trace.tree) - 2 });
});
