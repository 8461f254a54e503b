import type { Db } from '../core/db.ts';
import { forgetLost } from '../engines/objects/forget-lost.ts';
import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import { type ManifestTree, storeManifest, toManifest } from './release-tree/manifest-tree.ts';
import { withoutPlaces } from './release-tree/store-tree.ts';
import { storeTrace, type TraceTree, toTrace } from './release-tree/trace-tree.ts';

/** How releases are written. */
export interface DocumentDeps {
  db: Db;
  objects: ObjectStore;
  /** Whether manifests and traces may be in chunks; otherwise each is one document. Asked right before they are written. */
  writesChunks(): Promise<boolean>;
  /** Hashes of documents and chunks that may be lost. Those of this build are then stored again; emptied. */
  lost: Set<string>;
}

interface ReleaseDocuments {
  manifest: ManifestTree;
  trace: TraceTree;
  /** As `writeInputs` returns them. */
  inputs: Buffer;
}

/**
 * Stores the documents of a release. Returns manifest and trace with the places that these documents refer to, the hashes
 * of the documents, and the places of everything that was stored.
 */
export async function storeDocuments(
  { db, objects, writesChunks, lost }: DocumentDeps,
  { manifest, trace, inputs }: ReleaseDocuments,
) {
  const toBytes = (document: object) => Buffer.from(JSON.stringify(document));
  const describe = (places: readonly HashedPlace[]) => {
    const [manifestHash, traceHash, inputsHash] = places.map(({ hash }) => hash);
    return { manifestHash: manifestHash!, traceHash: traceHash!, inputsHash: inputsHash! };
  };
  if (lost.size > 0) {
    const mayBeLost = [...lost];
    // not earlier: by now the store has supplied the shell, so that it is not just the wrong folder or bucket
    await forgetLost(db, objects, mayBeLost);
    for (const hash of mayBeLost) lost.delete(hash);
  }
  if (!(await writesChunks())) {
    const stored = await objects.putMany([toBytes(toManifest(manifest)), toBytes(toTrace(trace)), inputs]);
    return {
      // the chunks that the base has in common are not referred to by this release, and may be collected
      manifest: { ...manifest, tree: withoutPlaces(manifest.tree) },
      trace: { ...trace, tree: withoutPlaces(trace.tree) },
      hashes: describe(stored),
      stored,
    };
  }
  const files = await storeManifest({ db, objects }, manifest);
  const reads = await storeTrace({ db, objects }, trace);
  const roots = await objects.putMany([toBytes(files.root), toBytes(reads.root), inputs]);
  return {
    manifest: files.manifest,
    trace: reads.trace,
    hashes: describe(roots),
    stored: [...files.added, ...reads.added, ...roots],
  };
}
