import { type ReadBytes, readDocument } from '../documents.ts';
import type { Manifest, ManifestChunk, ManifestRoot } from '../manifest.ts';
import { headOf, openManifest, toManifest } from './manifest-tree.ts';
import { loadTree } from './store-tree.ts';
import type { ChunkRef } from './tree.ts';

/** Two manifests without the chunks that both have: their files are the same. */
export interface DifferingFiles {
  before: Manifest;
  now: Manifest;
}

type Document = Manifest | ManifestRoot;

/** Whether equal chunks mean equal replies: redirects and 404 pages apply to files of any chunk. */
function isComparable(before: Document, now: Document): boolean {
  const [a, b] = [before, now].map(({ redirects, not_found }) => JSON.stringify([redirects, not_found]));
  return a === b;
}

async function readWithout(objects: ReadBytes, root: ManifestRoot, { chunks: known }: ManifestRoot): Promise<Manifest> {
  const isKnown = (ref: ChunkRef | null, number: number) => ref?.[0] === known[number]?.[0];
  const chunks = root.chunks.map((ref, number) => (isKnown(ref, number) ? null : ref));
  return toManifest({ ...headOf(root), tree: await loadTree<ManifestChunk>(objects, { bits: root.bits, chunks }) });
}

/**
 * Reads two manifests of any format. Files in chunks that both have are left out, so that the cost follows the difference,
 * unless redirects or 404 pages differ. Throws MissingObject.
 */
export async function readDiffering(
  objects: ReadBytes,
  { before: beforeHash, now: nowHash }: { before: string; now: string },
): Promise<DifferingFiles> {
  const [first, second] = await Promise.all([
    readDocument<Document>(objects, beforeHash),
    readDocument<Document>(objects, nowHash),
  ]);
  const isOneTree = first.format === 2 && second.format === 2 && first.bits === second.bits;
  const [before, now] = await Promise.all(
    isOneTree && isComparable(first, second)
      ? [readWithout(objects, first, second), readWithout(objects, second, first)]
      : [first, second].map(async (document) => toManifest(await openManifest(objects, document))),
  );
  return { before: before!, now: now! };
}
