import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ManifestChunk } from '../../../services/build/manifest.ts';
import { patchFiles, storeManifest, sumFiles, toManifest } from '../../../services/build/release-tree/manifest-tree.ts';
import { findChunks } from '../../../services/build/release-tree/store-tree.ts';
import { bitsFor, chunkAt, chunkOf, chunksOf, type Tree } from '../../../services/build/release-tree/tree.ts';
import type { Db } from '../../../services/core/db.ts';
import { type HashedPlace, hashBytes } from '../../../services/engines/objects/store.ts';
import { sized } from '../../harness/long-form.ts';

type Files = Tree<ManifestChunk>;
const head = { site: 's', release: 'r', default_locale: 'en', redirects: {}, not_found: [] };
const noDb: Db = { query: () => Promise.reject(new Error('There is no database.')) };
const pathOf = (n: number) => `/posts/post-${n}/`;
const file = (text: string) => ({
  place: { hash: hashBytes(text), bytes: text.length, key: `pack-${text.length}`, offset: 0 },
  type: 'text/html',
  policy: text.length % 2 === 0 ? null : 'policy',
});
const written = (texts: Iterable<[string, string]>) => new Map([...texts].map(([path, text]) => [path, file(text)]));
const manifestOf = (tree: Files) => toManifest({ ...head, tree });
const hundreds = (from: number, to: number, text: string) =>
  Array.from({ length: to - from }, (_, n): [string, string] => [pathOf(from + n), `${text} ${n}`]);

describe('a tree that was changed step by step', () => {
  const step = fc.record({ from: fc.nat(3000), count: fc.nat(1500), remove: fc.boolean(), text: fc.string() });

  test('has the files of one that was written at once', () => {
    const run = (steps: { from: number; count: number; remove: boolean; text: string }[]) => {
      let tree: Files | null = null;
      const files = new Map<string, string>();
      for (const { from, count, remove, text } of steps) {
        const changed = hundreds(from, from + count, text);
        const gone = new Set(remove ? changed.map(([path]) => path).filter((path) => files.has(path)) : []);
        const added = remove ? [] : changed;
        for (const path of gone) files.delete(path);
        for (const [path, value] of added) files.set(path, value);
        tree = patchFiles(tree, written(added), gone);
      }
      if (!tree) return;
      const whole = patchFiles(null, written(files), new Set());
      expect(manifestOf(tree)).toEqual(manifestOf(whole));
      expect(sumFiles(tree).files).toBe(files.size);
      // chunks of the same paths have the same bytes, whatever led to them
      if (tree.bits === whole.bits)
        expect(tree.leaves.map((leaf) => leaf?.content)).toEqual(whole.leaves.map((leaf) => leaf?.content));
      for (const path of files.keys()) expect(chunkAt(tree, path)?.files[path]?.[0]).toBe(hashBytes(files.get(path)!));
    };
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), run), { numRuns: sized(20, 300) });
  });

  test('keeps its chunks when many of its paths are replaced', () => {
    const base = patchFiles(null, written(hundreds(0, 4000, 'a')), new Set());
    const all = patchFiles(base, written(hundreds(0, 4000, 'b')), new Set());
    // without the replaced paths, the mean of a chunk stays below its limit
    const more = patchFiles(all, written([...hundreds(0, 4000, 'c'), ...hundreds(4000, 15_000, 'c')]), new Set());
    expect([all.bits, more.bits]).toEqual([base.bits, base.bits]);
  });

  test('shares every chunk that has no changed path', () => {
    const base = patchFiles(null, written(hundreds(0, 5000, 'a')), new Set());
    const next = patchFiles(base, written([[pathOf(7), 'b']]), new Set([pathOf(9)]));
    const differs = next.leaves.flatMap((leaf, number) => (leaf === base.leaves[number] ? [] : number));
    expect(differs.sort()).toEqual([...new Set([7, 9].map((n) => chunkOf(pathOf(n), base.bits)))].sort());
    expect(base.leaves.length).toBeGreaterThan(16);
  });
});

/** A store of chunks that counts what is put into it. */
function openStore() {
  const stored = new Map<string, HashedPlace>();
  const put: string[] = [];
  const objects = {
    async putMany(blobs: readonly Buffer[]) {
      put.push(...blobs.map(String));
      const places = blobs.map((data) => ({
        hash: hashBytes(data),
        bytes: data.length,
        key: `${put.length}`,
        offset: 0,
      }));
      for (const place of places) stored.set(place.hash, place);
      return places;
    },
    async pinStored(_db: Db, hashes: readonly string[]) {
      return new Map(hashes.flatMap((hash) => (stored.has(hash) ? [[hash, stored.get(hash)!] as const] : [])));
    },
  };
  return { put, stored, store: { db: noDb, objects } };
}

const treeOf = (from: number, to: number) => patchFiles(null, written(hundreds(from, to, 'a')), new Set());

test('only new chunks are stored, and the root names all of them', async () => {
  const { put, store } = openStore();
  const first = await storeManifest(store, { ...head, tree: treeOf(0, 2000) });
  expect(put).toHaveLength(first.root.chunks.filter((chunk) => chunk !== null).length);
  put.length = 0;
  const changed = patchFiles(first.manifest.tree, written([[pathOf(7), 'b']]), new Set());
  const second = await storeManifest(store, { ...head, tree: changed });
  expect(put).toHaveLength(1);
  expect(second.added.map(({ hash }) => hash)).toEqual([hashBytes(put[0]!)]);
  const root = Buffer.from(JSON.stringify(second.root));
  expect(findChunks(root)).toEqual(second.manifest.tree.leaves.flatMap((leaf) => leaf?.place?.hash ?? []));
  expect(findChunks(Buffer.from(JSON.stringify(manifestOf(changed))))).toEqual([]);
});

test('a chunk that was lost since an earlier release is stored again, and the root names its new place', async () => {
  const { put, stored, store } = openStore();
  const { manifest } = await storeManifest(store, { ...head, tree: treeOf(0, 2000) });
  const [lost, moved] = manifest.tree.leaves.flatMap((leaf) => leaf?.place ?? []);
  stored.delete(lost!.hash);
  stored.set(moved!.hash, { ...moved!, key: 'elsewhere' });
  put.length = 0;
  const { root, added } = await storeManifest(store, manifest);
  expect(put.map(hashBytes)).toEqual([lost!.hash]);
  expect(added.map(({ hash }) => hash)).toEqual([lost!.hash]);
  const keys = new Map(root.chunks.flatMap((chunk) => (chunk ? [[chunk[0], chunk[2]] as const] : [])));
  expect(keys.get(moved!.hash)).toBe('elsewhere');
  expect(keys.get(lost!.hash)).toBe(stored.get(lost!.hash)!.key);
});

test('a path is in one chunk in all the forms in which visitors request it', () => {
  for (const bits of [0, 5, 14]) {
    expect(new Set(['/about', '/about/', '/about/index.html'].map((path) => chunkOf(path, bits))).size).toBe(1);
    expect(chunkOf('/', bits)).toBe(chunkOf('/index.html', bits));
  }
});

test('paths are spread evenly', () => {
  const { leaves } = patchFiles(null, written(hundreds(0, 10_000, 'a')), new Set());
  const sizes = leaves.map((leaf) => (leaf ? Object.keys(leaf.content.files).length : 0));
  expect(Math.max(...sizes)).toBeLessThan(3 * (10_000 / leaves.length));
});

test('the number of chunks follows the number of paths, with few changes', () => {
  expect([0, 1, 128, 129, 10_000, 100_000].map((paths) => bitsFor(paths, null))).toEqual([0, 0, 0, 1, 7, 10]);
  for (const paths of [40 * 128, 128 * 128, 500 * 128]) expect(bitsFor(paths, 7)).toBe(7);
  expect(bitsFor(600 * 128, 7)).toBeGreaterThan(7);
  expect(bitsFor(20 * 128, 7)).toBeLessThan(7);
  expect(bitsFor(0, 0)).toBe(0);
});

test('a tree without paths has no chunk', () => {
  const tree = patchFiles(patchFiles(null, written([['/', 'a']]), new Set()), new Map(), new Set(['/']));
  expect(chunksOf(tree)).toEqual([]);
});
