import type { HashedPlace } from '../../engines/objects/store.ts';

/**
 * The paths of a release in chunks. A chunk holds everything about its paths and refers to nothing outside itself, so
 * that a build writes the chunks whose paths changed and shares the others with an earlier release.
 */
export interface Tree<C> {
  /** Number of bits of a path's hash that select its chunk: there are `2 ** bits` chunks. */
  bits: number;
  leaves: readonly (Leaf<C> | null)[];
}

/**
 * A chunk in memory, and where it is stored; null unless the documents of its release refer to it there. Chunks never
 * change.
 */
export interface Leaf<C> {
  content: C;
  place: HashedPlace | null;
}

/** A stored chunk, as a root refers to it. */
export type ChunkRef = [hash: string, bytes: number, key: string, offset: number];

/** The members of a root document that refer to chunks; null for a chunk without paths. */
export interface StoredTree {
  bits: number;
  chunks: (ChunkRef | null)[];
}

/** The number of paths that a chunk should have. A tree keeps its number of chunks while the mean is near this. */
const pathsPerChunk = 128;
const tolerance = 4;
const maxBits = 14;

/**
 * Returns the number of the chunk of a path. A path with and without its trailing slash or `index.html` has one number,
 * because an edge looks for all of them.
 */
export function chunkOf(path: string, bits: number): number {
  let end = path.endsWith('/index.html') ? path.length - 'index.html'.length : path.length;
  if (path[end - 1] === '/') end--;
  let hash = 0x811c9dc5; // FNV-1a with the final steps of MurmurHash3, which spread the last characters over all bits
  for (let n = 0; n < end; n++) hash = Math.imul(hash ^ path.charCodeAt(n), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return bits === 0 ? 0 : hash >>> (32 - bits);
}

/** Returns the bits for this number of paths: those of the earlier tree, unless its chunks would become too large or too small. */
export function bitsFor(paths: number, known: number | null): number {
  const wanted = Math.min(maxBits, Math.max(0, Math.ceil(Math.log2(paths / pathsPerChunk))));
  if (known === null) return wanted;
  const mean = paths / 2 ** known;
  const isTooSmall = known > 0 && mean < pathsPerChunk / tolerance;
  return mean > pathsPerChunk * tolerance || isTooSmall ? wanted : known;
}

/** Returns the chunk that has the path, if the tree has one there; the path itself may be missing in it. */
export function chunkAt<C>({ bits, leaves }: Tree<C>, path: string): C | undefined {
  return leaves[chunkOf(path, bits)]?.content;
}

/** Returns the chunks of a tree. */
export const chunksOf = <C>({ leaves }: Tree<C>): C[] => leaves.flatMap((leaf) => leaf?.content ?? []);

/** How a kind of tree is written. */
export interface ChunkKind<C> {
  pathsOf(chunk: C): string[];
  hasPath(chunk: C, path: string): boolean;
  /** Writes a chunk with these paths, which are sorted. `earlier` returns the chunk of the base that has the path. */
  write(paths: readonly string[], earlier: (path: string) => C | undefined): C;
}

/**
 * Returns a tree with the paths of `base`, without `removed` and with `written`: chunks without such paths are shared. A
 * chunk's content depends on its paths alone, not on the order or the number of the builds that led to it.
 */
export function patchTree<C>(
  base: Tree<C> | null,
  { written, removed }: { written: Iterable<string>; removed: ReadonlySet<string> },
  kind: ChunkKind<C>,
): Tree<C> {
  const replaced = new Set(written);
  const earlier = (path: string) => (base ? chunkAt(base, path) : undefined);
  const isKnown = (path: string) => {
    const chunk = earlier(path);
    return chunk !== undefined && kind.hasPath(chunk, path);
  };
  let total = (base ? chunksOf(base) : []).reduce((sum, chunk) => sum + sizeOf(chunk, kind), 0);
  for (const path of replaced) if (!isKnown(path)) total++;
  for (const path of removed) if (isKnown(path) && !replaced.has(path)) total--;
  const bits = bitsFor(total, base?.bits ?? null);
  const isRegrouped = bits !== base?.bits;
  const kept = isRegrouped && base ? chunksOf(base).flatMap(kind.pathsOf) : [];
  const touched = Map.groupBy([...replaced, ...(isRegrouped ? kept : removed)], (path) => chunkOf(path, bits));
  const leaves: (Leaf<C> | null)[] = isRegrouped ? Array(2 ** bits).fill(null) : [...base.leaves];
  for (const [number, own] of touched) {
    const leaf = isRegrouped ? null : leaves[number];
    const before = leaf ? kind.pathsOf(leaf.content) : [];
    const paths = [...new Set([...before, ...own])].filter((path) => replaced.has(path) || !removed.has(path)).sort();
    leaves[number] = paths.length > 0 ? { content: kind.write(paths, earlier), place: null } : null;
  }
  return { bits, leaves };
}

const sizes = new WeakMap<object, number>();

/** Returns the number of paths of a chunk. */
function sizeOf<C>(chunk: C, { pathsOf }: ChunkKind<C>): number {
  let size = sizes.get(chunk as object);
  if (size === undefined) {
    size = pathsOf(chunk).length;
    sizes.set(chunk as object, size);
  }
  return size;
}
