import { expect, test } from '@jest/globals';
import type { ManifestRoot } from '../../../services/build/format.ts';
import { patchFiles, storeManifest } from '../../../services/build/release-tree/manifest-tree.ts';
import type { Db } from '../../../services/core/db.ts';
import { createReleaseCache, type Release } from '../../../services/edge/releases.ts';
import { type HashedPlace, hashBytes } from '../../../services/engines/objects/store.ts';

const noDb: Db = { query: () => Promise.reject(new Error('There is no database.')) };
const pathOf = (n: number) => `/posts/post-${n}/`;

/** A site with this many pages in a store that counts reads and may fail. */
async function openSite(pages: number, maxBytes = 64_000_000) {
  const blobs = new Map<string, Buffer>();
  const put = (data: Buffer) => {
    const hash = hashBytes(data);
    blobs.set(hash, data);
    return { hash, bytes: data.length, key: 'pack', offset: 0 };
  };
  const pinStored = async () => new Map<string, HashedPlace>();
  const objects = { putMany: async (list: readonly Buffer[]) => list.map(put), pinStored };
  const head = {
    site: 's',
    default_locale: 'en',
    redirects: {},
    not_found: [['/', '/404.html']] as [string, string][],
  };
  const state = { reads: 0, isDown: false };
  let tree: Parameters<typeof patchFiles>[0] = null;
  const read = async (hash: string) => {
    if (state.isDown) throw new Error('The store is down.');
    state.reads++;
    return blobs.get(hash)!;
  };
  const releases = createReleaseCache({
    maxBytes,
    onSwap: () => undefined,
    readManifest: read,
    readBody: ({ hash }: HashedPlace) => read(hash),
  });
  const publish = async (release: string, texts: [path: string, text: string][]) => {
    const file = (text: string) => ({ place: put(Buffer.from(text)), type: 'text/html', policy: null });
    const files = new Map(texts.map(([path, text]) => [path, file(text)]));
    const made = await storeManifest(
      { db: noDb, objects },
      { ...head, release, tree: patchFiles(tree, files, new Set()) },
    );
    tree = made.manifest.tree;
    return { hash: put(Buffer.from(JSON.stringify(made.root satisfies ManifestRoot))).hash };
  };
  const all = Array.from({ length: pages }, (_, n): [string, string] => [pathOf(n), `Post ${n}`]);
  return { publish, state, releases, first: await publish('a', [['/404.html', 'missing'], ...all]) };
}

async function hashAt(release: Release, path: string): Promise<string | undefined> {
  const found = await release.resolve(path, true);
  return found.kind === 'file' ? found.file.place.hash : undefined;
}

test('a page, a redirect to it and a missing page are found in a manifest in chunks', async () => {
  const { releases, first } = await openSite(3000);
  const release = await releases.getLive('s', first.hash);
  expect(await hashAt(release, pathOf(7))).toBe(hashBytes('Post 7'));
  expect(await release.resolve('/posts/post-8', true)).toMatchObject({ kind: 'redirect', to: pathOf(8) });
  expect(await release.resolve('/posts/post-9/index.html', true)).toMatchObject({ kind: 'redirect', to: pathOf(9) });
  expect(await release.resolve('/nothing/', true)).toMatchObject({ kind: 'not_found', page: { path: '/404.html' } });
});

test('after a swap, an edge reads the root and the chunks that changed, and then needs the store no more', async () => {
  const { publish, releases, state, first } = await openSite(3000);
  const before = await releases.getLive('s', first.hash);
  for (let n = 0; n < 3000; n++) await hashAt(before, pathOf(n));
  const second = await publish('b', [[pathOf(7), 'Changed']]);
  state.reads = 0;
  const release = await releases.getLive('s', second.hash);
  expect(state.reads).toBe(2);
  state.isDown = true;
  expect(await hashAt(release, pathOf(7))).toBe(hashBytes('Changed'));
  for (let n = 8; n < 3000; n++) expect(await hashAt(release, pathOf(n))).toBe(hashBytes(`Post ${n}`));
});

test('of a large site, only the chunks that visitors need are read', async () => {
  const { releases, state, first } = await openSite(12_000);
  const release = await releases.getLive('s', first.hash);
  expect(state.reads).toBe(1);
  expect(await hashAt(release, pathOf(7))).toBe(hashBytes('Post 7'));
  expect(release.resolve(pathOf(7), true)).not.toBeInstanceOf(Promise);
  expect(state.reads).toBe(2);
});

test('with less memory than the manifest needs, every page is still found', async () => {
  const { releases, first } = await openSite(3000, 400_000);
  const release = await releases.getLive('s', first.hash);
  for (let n = 0; n < 3000; n += 10) expect(await hashAt(release, pathOf(n))).toBe(hashBytes(`Post ${n}`));
  expect(await release.resolve('/nothing/', true)).toMatchObject({ kind: 'not_found', page: { path: '/404.html' } });
});

test('a request whose chunk cannot be read is rejected, and the next one tries again', async () => {
  const { releases, state, first } = await openSite(12_000);
  const release = await releases.getLive('s', first.hash);
  state.isDown = true;
  await expect(hashAt(release, pathOf(7))).rejects.toThrow('The store is down.');
  state.isDown = false;
  expect(await hashAt(release, pathOf(7))).toBe(hashBytes('Post 7'));
});
