import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { ManifestRoot } from '../../../services/build/format.ts';
import { patchFiles, storeManifest } from '../../../services/build/release-tree/manifest-tree.ts';
import { chunkOf } from '../../../services/build/release-tree/tree.ts';
import type { Db } from '../../../services/core/db.ts';
import { SourceUnavailable } from '../../../services/edge/fresh-cache.ts';
import { createReleaseCache, type Release } from '../../../services/edge/releases.ts';
import { type HashedPlace, hashBytes, MissingObject } from '../../../services/engines/objects/store.ts';

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
  const state = { reads: 0, atOnce: 0, most: 0, isDown: false, damaged: [] as string[] };
  /** Objects that the store does not return before the promise resolves. */
  const slow = { hashes: new Set<string>(), until: Promise.resolve() };
  let tree: Parameters<typeof patchFiles>[0] = null;
  const read = async (hash: string) => {
    if (state.isDown) throw new Error('The store is down.');
    state.reads++;
    state.most = Math.max(state.most, ++state.atOnce);
    await (slow.hashes.has(hash) ? slow.until : setImmediate());
    state.atOnce--;
    const found = blobs.get(hash);
    if (!found) throw new MissingObject(hash);
    return found;
  };
  const releases = createReleaseCache({
    maxBytes,
    onSwap: () => undefined,
    onDamage: (_error, hash) => state.damaged.push(hash),
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
  return { publish, state, slow, blobs, put, releases, first: await publish('a', [['/404.html', 'missing'], ...all]) };
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
  expect(await hashAt(release, pathOf(7))).toBe(hashBytes('Changed'));
  expect(state.reads).toBe(2);
  state.isDown = true;
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

test('a swap is served before the chunks that changed are read, and they are read without a visitor', async () => {
  const { releases, state, first } = await openSite(3000);
  await releases.getLive('s', first.hash);
  expect(state.reads).toBeLessThan(10);
  for (let turns = 0; turns < 1000 && state.reads < 33; turns++) await setImmediate();
  expect(state.reads).toBe(33);
});

test('a lost or damaged chunk is an outage for the paths in it, and is reported once', async () => {
  const { releases, state, blobs, first } = await openSite(12_000);
  const release = await releases.getLive('s', first.hash);
  for (const hash of [...blobs.keys()])
    if (String(blobs.get(hash)).includes('"files"') && hash !== first.hash) blobs.delete(hash);
  for (const _ of [1, 2]) await expect(hashAt(release, pathOf(7))).rejects.toThrow(SourceUnavailable);
  expect(state.damaged).toHaveLength(1);
  blobs.set(state.damaged[0]!, Buffer.from('{'));
  await expect(hashAt(release, pathOf(7))).rejects.toThrow(SourceUnavailable);
  expect(state.damaged).toHaveLength(1);
});

test('a missing page needs its own chunk and that of the 404 page, and few chunks are read at the same time', async () => {
  const { releases, state, first } = await openSite(12_000);
  const release = await releases.getLive('s', first.hash);
  state.reads = 0;
  await release.resolve('/nothing/', true);
  expect(state.reads).toBeLessThanOrEqual(2);
  await Promise.all(Array.from({ length: 2000 }, (_, n) => release.resolve(`/nothing-${n}/`, true)));
  expect(state.most).toBeGreaterThan(1);
  expect(state.most).toBeLessThanOrEqual(8);
});

test('a flood of unknown paths does not evict the chunks in which visitors found files', async () => {
  const { releases, state, first } = await openSite(12_000, 400_000);
  const release = await releases.getLive('s', first.hash);
  const sameChunk = (n: number) => chunkOf(pathOf(n), 7) === chunkOf(pathOf(7), 7);
  const [found, ...others] = Array.from({ length: 12_000 }, (_, n) => n).filter(sameChunk);
  await release.resolve(pathOf(found!), true);
  state.reads = 0;
  for (let n = 0; n < 2000; n++) await release.resolve(`/nothing-${n}/`, true);
  expect(state.reads).toBeGreaterThan(100);
  expect(await release.resolve(pathOf(others[0]!), true)).toMatchObject({ kind: 'file' });
  expect(release.resolve(pathOf(others[1]!), true)).not.toBeInstanceOf(Promise);
});

test('while chunks of one release are slow to read, those of another are read', async () => {
  const { publish, blobs, slow, releases, first } = await openSite(12_000);
  slow.hashes = new Set([...blobs.keys()].filter((hash) => hash !== first.hash));
  const other = await publish(
    'b',
    Array.from({ length: 12_000 }, (_, n): [string, string] => [pathOf(n), `Other ${n}`]),
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  slow.until = promise;
  const release = await releases.get(first.hash, 'public');
  const flood = Array.from({ length: 2000 }, (_, n) => release.resolve(`/nothing-${n}/`, true));
  expect(await hashAt(await releases.get(other.hash, 'public'), pathOf(7))).toBe(hashBytes('Other 7'));
  resolve();
  await Promise.all(flood);
});

test('a lost or damaged manifest is an outage and is reported once; the release served before stays', async () => {
  const { publish, state, blobs, releases, first } = await openSite(1);
  const release = await releases.getLive('s', first.hash);
  const second = await publish('b', [[pathOf(0), 'Changed']]);
  blobs.delete(second.hash);
  expect(await releases.getLive('s', second.hash)).toBe(release);
  blobs.set(second.hash, Buffer.from('{'));
  await expect(releases.get(second.hash, 'public')).rejects.toThrow(SourceUnavailable);
  expect(state.damaged).toEqual([second.hash]);
});

test('prepared files of all releases share a bounded memory', async () => {
  const { releases, first } = await openSite(3000, 400_000);
  const release = await releases.getLive('s', first.hash);
  const before = await release.resolve(pathOf(7), true);
  expect(await release.resolve(pathOf(7), true)).toBe(before);
  for (let n = 8; n < 1000; n++) await release.resolve(pathOf(n), true);
  expect(await release.resolve(pathOf(7), true)).not.toBe(before);
});

test('two large manifests that are one document stay beside each other, and one that had to make room is read again', async () => {
  const { releases, put, state } = await openSite(1, 400_000);
  const manifestOf = (release: string) => {
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [pathOf(n), [hashBytes(`${release}${n}`), 1, 0, 0, 0, -1]]),
    );
    const head = { site: release, release, default_locale: 'en', redirects: {}, not_found: [] };
    const document = { format: 1, ...head, packs: ['pack'], types: ['text/html'], policies: [], files };
    return put(Buffer.from(JSON.stringify(document))).hash;
  };
  const [a, b, c] = [manifestOf('a'), manifestOf('b'), manifestOf('c')];
  const first = await releases.getLive('a', a);
  expect(await hashAt(first, pathOf(7))).toBe(hashBytes('a7'));
  await releases.getLive('b', b);
  state.reads = 0;
  expect(await hashAt(first, pathOf(9))).toBe(hashBytes('a9'));
  expect(state.reads).toBe(0);
  await hashAt(await releases.getLive('b', b), pathOf(9));
  await releases.getLive('c', c);
  state.reads = 0;
  expect(await hashAt(first, pathOf(8))).toBe(hashBytes('a8'));
  expect(state.reads).toBe(1);
});
