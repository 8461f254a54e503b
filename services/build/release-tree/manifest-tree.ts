import type { HashedPlace } from '../../engines/objects/store.ts';
import { type ReadBytes, readDocument } from '../documents.ts';
import type { Manifest, ManifestChunk, ManifestHead, ManifestRoot } from '../manifest.ts';
import { createChunkWriter } from '../manifest-writer.ts';
import { type ChunkStore, loadTree, storeTree } from './store-tree.ts';
import { chunkAt, chunksOf, patchTree, type Tree } from './tree.ts';

/** A manifest in memory. Releases share the chunks that they have in common. */
export interface ManifestTree extends ManifestHead {
  tree: Tree<ManifestChunk>;
}

/** A file that a build adds or replaces: its own, or that of an earlier release. */
export type WrittenFile =
  | { place: HashedPlace; type: string; policy: string | null }
  | { from: ManifestChunk | undefined };

const pathsOf = ({ files }: ManifestChunk) => Object.keys(files);

/** Returns the hash of the file at a path; undefined if the release has none. */
export function hashAt({ tree }: ManifestTree, path: string): string | undefined {
  const files = chunkAt(tree, path)?.files;
  return files && Object.hasOwn(files, path) ? files[path]![0] : undefined;
}

/** Returns the files of `base`, without `removed` and with `written`. */
export function patchFiles(
  base: Tree<ManifestChunk> | null,
  written: ReadonlyMap<string, WrittenFile>,
  removed: ReadonlySet<string>,
): Tree<ManifestChunk> {
  return patchTree(
    base,
    { written: written.keys(), removed },
    {
      pathsOf,
      hasPath: ({ files }, path) => Object.hasOwn(files, path),
      write(paths, earlier) {
        const writer = createChunkWriter();
        for (const path of paths) {
          const file = written.get(path) ?? { from: earlier(path) };
          if ('from' in file) writer.copy(path, file.from);
          else writer.add(path, file.place, file.type, file.policy);
        }
        return writer.chunk;
      },
    },
  );
}

const totals = new WeakMap<ManifestChunk, { files: number; bytes: number }>();

/** Returns the number and the total size of all files. */
export function sumFiles(tree: Tree<ManifestChunk>): { files: number; bytes: number } {
  const sum = { files: 0, bytes: 0 };
  for (const chunk of chunksOf(tree)) {
    let own = totals.get(chunk);
    if (!own) {
      const entries = Object.values(chunk.files);
      own = { files: entries.length, bytes: entries.reduce((all, [, bytes]) => all + bytes, 0) };
      totals.set(chunk, own);
    }
    sum.files += own.files;
    sum.bytes += own.bytes;
  }
  return sum;
}

/** Returns the number of files. */
export const countFiles = ({ tree }: ManifestTree): number => sumFiles(tree).files;

/** Returns a manifest with all files in one document, sorted by path. */
export function toManifest({ tree, ...head }: ManifestTree): Manifest {
  const writer = createChunkWriter();
  const all = chunksOf(tree).flatMap((chunk) => pathsOf(chunk).map((path) => ({ path, chunk })));
  all.sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, chunk } of all) writer.copy(path, chunk);
  return { format: 1, ...head, ...writer.chunk };
}

/** Stores the chunks that are new. Returns the manifest with their places, its root document, and the new places. */
export async function storeManifest(store: ChunkStore, { tree: open, ...head }: ManifestTree) {
  const { tree, stored, added } = await storeTree(store, open);
  const root: ManifestRoot = { format: 2, ...head, packs: [], types: [], policies: [], files: {}, ...stored };
  return { manifest: { ...head, tree }, root, added };
}

/** Returns the members of a manifest besides its files. */
export const headOf = ({ site, release, default_locale, redirects, not_found }: ManifestHead): ManifestHead => ({
  site,
  release,
  default_locale,
  redirects,
  not_found,
});

/** Reads the chunks of a manifest of any format. Throws MissingObject. */
export async function openManifest(objects: ReadBytes, document: Manifest | ManifestRoot): Promise<ManifestTree> {
  if (document.format === 2) return { ...headOf(document), tree: await loadTree(objects, document) };
  const { packs, types, policies, files } = document;
  return {
    ...headOf(document),
    tree: { bits: 0, leaves: [{ content: { packs, types, policies, files }, place: null }] },
  };
}

/** Reads a manifest of any format. Throws MissingObject. */
export async function readManifestTree(objects: ReadBytes, hash: string): Promise<ManifestTree> {
  return openManifest(objects, await readDocument<Manifest | ManifestRoot>(objects, hash));
}

/** Reads a manifest of any format as one document. Throws MissingObject. */
export async function readManifest(objects: ReadBytes, hash: string): Promise<Manifest> {
  return toManifest(await readManifestTree(objects, hash));
}
