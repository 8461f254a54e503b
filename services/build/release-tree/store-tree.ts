import type { Db } from '../../core/db.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { ObjectNeeded } from '../../engines/objects/held-objects.ts';
import { packBytes } from '../../engines/objects/pack.ts';
import type { HashedPlace, ObjectStore } from '../../engines/objects/store.ts';
import { type ReadBytes, readDocument } from '../documents.ts';
import type { ChunkRef, Leaf, StoredTree, Tree } from './tree.ts';

/** Chunks that are read at the same time. */
const readsAtOnce = 16;

/** Returns the place that a root's reference names. */
export function placeOfChunk([hash, bytes, key, offset]: ChunkRef): HashedPlace {
  return { hash, bytes, key, offset };
}

/** Where chunks are stored. */
export interface ChunkStore {
  db: Db;
  objects: Pick<ObjectStore, 'putMany' | 'pinStored'>;
}

/**
 * Stores the chunks that are not stored: those without a place, and those that were lost or collected since. Pins the
 * others, because the release that referred to them may be deleted. Returns the tree with the places of all, and the
 * places of those that were stored.
 */
export async function storeTree<C>(
  { db, objects }: ChunkStore,
  { bits, leaves }: Tree<C>,
): Promise<{ tree: Tree<C>; stored: StoredTree; added: HashedPlace[] }> {
  const known = leaves.flatMap((leaf) => leaf?.place?.hash ?? []);
  const found = known.length > 0 ? await objects.pinStored(db, known) : new Map<string, HashedPlace>();
  const placed = leaves.map((leaf) => {
    const place = leaf?.place ? found.get(leaf.place.hash) : undefined;
    return leaf && { content: leaf.content, place: place ?? null };
  });
  const open = placed.filter((leaf) => leaf?.place === null) as Leaf<C>[];
  const added: HashedPlace[] = [];
  for (const group of groupByPack(open)) added.push(...(await objects.putMany(group)));
  for (const [n, leaf] of open.entries()) leaf.place = added[n]!;
  const chunks = placed.map((leaf): ChunkRef | null => {
    if (!leaf) return null;
    const { hash, bytes, key, offset } = leaf.place!;
    return [hash, bytes, key, offset];
  });
  return { tree: { bits, leaves: placed }, stored: { bits, chunks }, added };
}

/** Yields the chunks as bytes, about a pack at a time, so that those of a large site are never all in memory. */
function* groupByPack(leaves: readonly Leaf<unknown>[]): Generator<Buffer[]> {
  let group: Buffer[] = [];
  let bytes = 0;
  for (const { content } of leaves) {
    const chunk = Buffer.from(JSON.stringify(content));
    if (bytes > 0 && bytes + chunk.length > packBytes) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(chunk);
    bytes += chunk.length;
  }
  if (group.length > 0) yield group;
}

/** Returns a tree of which no chunk is known to be stored: that of a release whose documents refer to no chunk. */
export const withoutPlaces = <C>({ bits, leaves }: Tree<C>): Tree<C> => ({
  bits,
  leaves: leaves.map((leaf) => leaf && { content: leaf.content, place: null }),
});

/** Reads all chunks of a tree. Throws MissingObject. */
export async function loadTree<C>(objects: ReadBytes, { bits, chunks }: StoredTree): Promise<Tree<C>> {
  let needed: ObjectNeeded | undefined;
  const leaves = await inParallel(chunks, readsAtOnce, async (ref): Promise<Leaf<C> | null> => {
    if (!ref) return null;
    try {
      return { content: await readDocument<C>(objects, ref[0]), place: placeOfChunk(ref) };
    } catch (error) {
      // a transaction that reads requests all chunks before it runs again
      if (!(error instanceof ObjectNeeded)) throw error;
      needed = error;
      return null;
    }
  });
  if (needed) throw needed;
  return { bits, leaves };
}

/** How the text of every root begins. */
const rootStart = '{"format":2,';

/** Returns the hashes of the chunks that a document refers to, if it is the root of a tree. */
export function findChunks(document: Buffer): string[] {
  if (document.toString('latin1', 0, rootStart.length) !== rootStart) return [];
  const { chunks } = JSON.parse(document.toString('utf8')) as StoredTree;
  return chunks.flatMap((chunk) => chunk?.[0] ?? []);
}
