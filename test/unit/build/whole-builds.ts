import { type BaseRelease, type ProduceDeps, type Produced, produceRelease } from '../../../services/build/index.ts';
import type { ItemInput } from '../../../services/build/model.ts';
import { toManifest } from '../../../services/build/release-tree/manifest-tree.ts';
import { chunksOf } from '../../../services/build/release-tree/tree.ts';
import type { Renderer } from '../../../services/build/render/protocol.ts';
import { createRenderSession } from '../../../services/build/render/session.ts';
import { type HashedPlace, hashBytes } from '../../../services/engines/objects/store.ts';
import type { Snapshot } from './snapshot.ts';

const noReact = { render: () => Promise.reject(new Error('There is no React component.')), close() {} } as never;

/** A store in memory; every `putMany` makes a pack, as in a real one. */
export function createStore() {
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

export type Store = ReturnType<typeof createStore>;

/** Renders in this process, which shares nothing between builds. */
const renderer: Renderer = {
  open(snapshot) {
    const session = createRenderSession(structuredClone(snapshot), noReact);
    return { render: async (request) => session.render(request), close() {}, extraLanes: 0, extraLane: () => null };
  },
  close: async () => undefined,
};

export const watch = { report() {}, check() {}, signal: new AbortController().signal };

/** What a build of these snapshots needs. */
export function depsOf(store: Store, { bodies }: Snapshot): ProduceDeps {
  return {
    db: {} as never,
    objects: store as never,
    threads: { run: () => Promise.reject(new Error('There is no thread.')) },
    renderer,
    readBodies: async (items: readonly ItemInput[]) => new Map(items.map(({ id }) => [id, bodies[id]!])),
    writesChunks: async () => true,
    lost: new Set<string>(),
  };
}

/** Builds the site, with what these releases can supply. */
export async function build(
  store: Store,
  snapshot: Snapshot,
  bases: BaseRelease[],
  changed: Partial<ProduceDeps> = {},
): Promise<Produced> {
  const { inputs, templates, translations } = snapshot;
  const shell = { ...templates, 'translations.json': JSON.stringify(translations ?? {}) };
  const texts = Object.entries(shell).map(([path, text]) => ({ path, data: Buffer.from(text) }));
  await store.putMany(texts.map(({ data }) => data));
  inputs.shell = texts.map(({ path, data }) => ({
    ...{ path, hash: hashBytes(data), bytes: data.length },
    content_type: 'text/plain',
  }));
  // items that did not change are the same objects in every build, as in a worker
  const ownInputs = { ...structuredClone({ ...inputs, items: [] }), items: [...inputs.items] };
  const task = { target: 'live' as const, inputs: ownInputs, replaces: bases[0]?.id ?? null };
  return produceRelease({ ...depsOf(store, snapshot), ...changed }, task, bases, 'https://demo.test', watch);
}

/** What each page read, and the values. */
function readsOf({ tree }: BaseRelease['trace']) {
  const pages = chunksOf(tree).flatMap(({ keys, values, pages }) =>
    Object.entries(pages).map(([path, reads]) => [path, reads.map((read) => [keys[read], values[read]])] as const),
  );
  return pages.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What visitors get, and what the next build knows, without where the bytes are stored. */
export function contentOf({ base: { manifest, trace } }: Produced) {
  const { files, types, policies, redirects, not_found, default_locale } = toManifest(manifest);
  const plain = Object.entries(files).map(([path, [hash, bytes, type, , , policy]]) => [
    path,
    ...[hash, bytes, types[type], policies[policy] ?? null],
  ]);
  const known = { version: trace.version, reads: readsOf(trace) };
  return JSON.stringify({ files: plain, redirects, not_found, default_locale, ...known }, null, 1);
}
