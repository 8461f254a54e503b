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

async function expectEqualBuilds(script: readonly (readonly [kind: string, n: number])[]): Promise<void> {
  const store = createStore();
  const snapshot = startingPoint();
  const redirects = [{ from: '/old/', to: '/', status: 301 }];
  snapshot.inputs.redirects = redirects;
  let last = await build(store, snapshot, []);
  let earlier: BaseRelease | null = null;
  for (const [number, [kind, n]] of script.entries()) {
    changes[kind]!(snapshot, n);
    const live = number % 2 === 0 ? last.base : await reread(store, last);
    // manifests in chunks and in one document alternate, as while edges are replaced by newer ones
    const incremental = await build(store, snapshot, earlier ? [live, earlier] : [live], {
      writesChunks: async () => number % 3 > 0,
    });
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
  await fc.assert(fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), expectEqualBuilds), {
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
