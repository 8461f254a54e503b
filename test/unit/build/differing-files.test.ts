import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparePaths, type Manifest, readDiffering } from '../../../services/build/format.ts';
import {
  patchFiles,
  storeManifest,
  toManifest,
  type WrittenFile,
} from '../../../services/build/release-tree/manifest-tree.ts';
import { type HashedPlace, hashBytes } from '../../../services/engines/objects/store.ts';
import { compareAssets } from '../../../services/features/publishing/kept-assets.ts';

/** A store in memory that counts reads. */
function createStore() {
  const blobs = new Map<string, { data: Buffer; place: HashedPlace }>();
  let reads = 0;
  const store = {
    db: {} as never,
    objects: {
      async putMany(list: readonly Buffer[]) {
        return list.map((data) => {
          const place = { hash: hashBytes(data), key: 'pack', offset: 0, bytes: data.length };
          blobs.set(place.hash, { data, place });
          return place;
        });
      },
      pinStored: async (_db: unknown, hashes: readonly string[]) =>
        new Map(hashes.map((hash) => [hash, blobs.get(hash)!.place] as const)),
      async getBytes(hash: string) {
        reads++;
        return blobs.get(hash)!.data;
      },
    },
  };
  return { store, countReads: () => reads };
}

type Store = ReturnType<typeof createStore>['store'];

const fileOf = (n: number): WrittenFile => ({
  place: { hash: hashBytes(`${n}`), key: 'pack', offset: n, bytes: n },
  type: 'text/html',
  policy: null,
});
const pathOf = (n: number) => (n % 10 === 0 ? `/_assets/${n}.css` : n % 10 === 1 ? `/file-${n}.xml` : `/page-${n}/`);
const head = { site: 'site', release: 'release', default_locale: 'en' };

interface Release {
  /** Path numbers and contents. */
  files: [path: number, content: number][];
  redirects: Manifest['redirects'];
  inChunks: boolean;
}

async function store({ objects, db }: Store, { files, redirects, inChunks }: Release) {
  const written = new Map(files.map(([path, content]) => [pathOf(path), fileOf(content)]));
  const manifest = {
    ...head,
    redirects,
    not_found: [['/', '/404.html']] as Manifest['not_found'],
    tree: patchFiles(null, written, new Set()),
  };
  const { root } = await storeManifest({ db, objects }, manifest);
  const document = inChunks ? root : toManifest(manifest);
  const [place] = await objects.putMany([Buffer.from(JSON.stringify(document))]);
  return { hash: place!.hash, manifest: toManifest(manifest) };
}

const release = fc.record({
  files: fc.uniqueArray(fc.tuple(fc.nat(700), fc.nat(2)), { selector: ([path]) => path, maxLength: 600 }),
  redirects: fc.constantFrom<Manifest['redirects']>({}, {}, { '/page-5': ['/', 301] }, { '/page-7/': ['/x/', 302] }),
  inChunks: fc.boolean(),
});

test('releases compared by the chunks that differ are as different as when all files are compared', async () => {
  await fc.assert(
    fc.asyncProperty(release, release, fc.boolean(), async (first, second, isRelated) => {
      const { store: own } = createStore();
      const other = isRelated ? { ...second, files: [...first.files.slice(3), ...second.files.slice(0, 3)] } : second;
      const [before, now] = [await store(own, first), await store(own, other)];
      const differing = await readDiffering(own.objects, { before: before.hash, now: now.hash });
      expect(comparePaths(differing.before, differing.now)).toEqual(comparePaths(before.manifest, now.manifest));
      expect(compareAssets(differing.before, differing.now)).toEqual(compareAssets(before.manifest, now.manifest));
    }),
    { numRuns: 60 },
  );
});

test('of two large releases that differ in one page, the two roots and the two chunks of the page are read', async () => {
  const { store: own, countReads } = createStore();
  const files = Array.from({ length: 5_000 }, (_, n): [number, number] => [n, 1]);
  const before = await store(own, { files, redirects: {}, inChunks: true });
  const now = await store(own, { files: files.with(2, [2, 2]), redirects: {}, inChunks: true });
  const differing = await readDiffering(own.objects, { before: before.hash, now: now.hash });
  expect(comparePaths(differing.before, differing.now)).toEqual({ added: [], changed: ['/page-2/'], removed: [] });
  expect(countReads()).toBe(4);
});
