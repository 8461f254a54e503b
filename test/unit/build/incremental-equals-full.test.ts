import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BaseRelease, type Produced, produceRelease } from '../../../services/build/index.ts';
import type { ItemInput } from '../../../services/build/model.ts';
import { readManifestTree, toManifest } from '../../../services/build/release-tree/manifest-tree.ts';
import { countTracedPages, readTraceTree } from '../../../services/build/release-tree/trace-tree.ts';
import { chunksOf } from '../../../services/build/release-tree/tree.ts';
import type { Renderer } from '../../../services/build/render/protocol.ts';
import { createRenderSession } from '../../../services/build/render/session.ts';
import { type HashedPlace, hashBytes } from '../../../services/engines/objects/store.ts';
import { sized } from '../../harness/long-form.ts';
import { changes, startingPoint } from './edits.ts';
import type { Snapshot } from './snapshot.ts';

const noReact = { render: () => Promise.reject(new Error('There is no React component.')), close() {} } as never;

/** A store in memory; every `putMany` makes a pack, as in a real one. */
function createStore() {
  const blobs = new Map<string, { data: Buffer; place: HashedPlace }>();
  let packs = 0;
  return {
    async putMany(list: readonly Buffer[]) {
      const key = `pack-${++packs}`;
      let offset = 0;
      return list.map((data) => {
        const hash = hashBytes(data);
        const known = blobs.get(hash);
        if (known) return known.place;
        const place = { hash, key, offset, bytes: data.length };
        offset += data.length;
        blobs.set(hash, { data, place });
        return place;
      });
    },
    async pinStored(_db: unknown, hashes: readonly string[]) {
      return new Map(hashes.flatMap((hash) => (blobs.has(hash) ? [[hash, blobs.get(hash)!.place] as const] : [])));
    },
    async getBytes(hash: string) {
      return blobs.get(hash)!.data;
    },
    async pin(_tx: unknown, hashes: readonly string[]) {
      // what nobody has put is a file of the media library
      const media = (hash: string) => ({ hash, key: 'media', offset: 0, bytes: 1 });
      return new Map(hashes.map((hash) => [hash, blobs.get(hash)?.place ?? media(hash)]));
    },
  };
}

type Store = ReturnType<typeof createStore>;

/** Renders in this process, which shares nothing between builds. */
const renderer: Renderer = {
  open(snapshot) {
    const session = createRenderSession(structuredClone(snapshot), noReact);
    return { render: async (request) => session.render(request), close() {}, extraLanes: 0, extraLane: () => null };
  },
  close: async () => undefined,
};

const watch = { report() {}, check() {}, signal: new AbortController().signal };

/** Builds the site, with what these releases can supply. */
async function build(
  store: Store,
  { inputs, templates, bodies, translations }: Snapshot,
  bases: BaseRelease[],
  writesChunks = true,
) {
  const shell = { ...templates, 'translations.json': JSON.stringify(translations ?? {}) };
  const texts = Object.entries(shell).map(([path, text]) => ({ path, data: Buffer.from(text) }));
  await store.putMany(texts.map(({ data }) => data));
  inputs.shell = texts.map(({ path, data }) => ({
    ...{ path, hash: hashBytes(data), bytes: data.length },
    content_type: 'text/plain',
  }));
  const deps = {
    db: {} as never,
    objects: store as never,
    threads: { run: () => Promise.reject(new Error('There is no thread.')) },
    renderer,
    readBodies: async (items: readonly ItemInput[]) => new Map(items.map(({ id }) => [id, bodies[id]!])),
    writesChunks: async () => writesChunks,
    lost: new Set<string>(),
  };
  // items that did not change are the same objects in every build, as in a worker
  const ownInputs = { ...structuredClone({ ...inputs, items: [] }), items: [...inputs.items] };
  const task = { target: 'live' as const, inputs: ownInputs, replaces: bases[0]?.id ?? null };
  return produceRelease(deps, task, bases, 'https://demo.test', watch);
}

/** What each page read, and the values. */
function readsOf({ tree }: BaseRelease['trace']) {
  const pages = chunksOf(tree).flatMap(({ keys, values, pages }) =>
    Object.entries(pages).map(([path, reads]) => [path, reads.map((read) => [keys[read], values[read]])] as const),
  );
  return pages.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What visitors get, and what the next build knows, without where the bytes are stored. */
function contentOf({ base: { manifest, trace } }: Produced) {
  const { files, types, policies, redirects, not_found, default_locale } = toManifest(manifest);
  const plain = Object.entries(files).map(([path, [hash, bytes, type, , , policy]]) => [
    path,
    ...[hash, bytes, types[type], policies[policy] ?? null],
  ]);
  const known = { version: trace.version, reads: readsOf(trace) };
  return JSON.stringify({ files: plain, redirects, not_found, default_locale, ...known }, null, 1);
}

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
    const incremental = await build(store, snapshot, bases, number % 3 > 0);
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
