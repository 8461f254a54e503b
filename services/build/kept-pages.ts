import { randomUUID } from 'node:crypto';
import type { Db } from '../core/db.ts';
import { MissingObject, type ObjectStore } from '../engines/objects/store.ts';
import type { BaseRelease } from './base-release.ts';
import type { Choice } from './choose.ts';
import type { BuildTask, SiteInput } from './model.ts';
import type { PageStore } from './page-store.ts';
import { hashAt, patchFiles, readManifestTree, storeManifest, type WrittenFile } from './release-tree/manifest-tree.ts';
import type { ChunkStore } from './release-tree/store-tree.ts';
import { patchReads, readTraceTree, storeTrace, type WrittenReads } from './release-tree/trace-tree.ts';
import { chunkAt, chunksOf } from './release-tree/tree.ts';
import { renderVersion } from './version.ts';

/** Objects with the pages that a build had finished when it timed out. */
export interface KeptPages {
  manifestHash: string;
  traceHash: string;
}

/** State of a build that timed out. */
export interface Unfinished {
  choice: Choice;
  store: PageStore;
  readValue(key: string): string;
}

/** The pages of a build that its base does not supply: what the chunks of manifest and trace need to know of them. */
export interface WrittenPages {
  files: ReadonlyMap<string, WrittenFile>;
  reads: ReadonlyMap<string, WrittenReads>;
}

/** Pages that a build has rendered and stored. */
export interface RenderedPages extends WrittenPages {
  /** Hashes of their bytes. */
  hashes: string[];
}

/** Stores the last pages. Returns all of them. */
export async function finishPages(store: PageStore): Promise<RenderedPages> {
  await store.finish();
  const { pages: files, reads } = store;
  return { files, reads, hashes: [...files.values()].map(({ place }) => place.hash) };
}

/** Returns the pages that were rendered, and those that another release than the base supplies if `isCopied` accepts it. */
export function writtenPages(
  { kept }: Choice,
  rendered: WrittenPages,
  isCopied: (supplier: BaseRelease) => boolean = () => true,
): WrittenPages {
  // the same objects, since a large build has many
  const written = {
    files: new Map<string, WrittenFile>(rendered.files),
    reads: new Map<string, WrittenReads>(rendered.reads),
  };
  for (const [path, supplier] of kept) {
    if (!isCopied(supplier)) continue;
    written.files.set(path, { from: chunkAt(supplier.manifest.tree, path) });
    written.reads.set(path, { from: chunkAt(supplier.trace.tree, path) });
  }
  return written;
}

/**
 * Stores the finished pages of a build, so that the next build reuses every page that is still current. Includes pages that
 * this build reused from an earlier timed-out build. Returns null when there are no pages.
 */
export async function keepPages(
  { db, objects }: { db: Db; objects: ObjectStore },
  { inputs: { site } }: BuildTask,
  { choice, store, readValue }: Unfinished,
): Promise<KeptPages | null> {
  const pages = writtenPages(choice, await finishPages(store), (supplier) => supplier.isUnfinished === true);
  return pages.files.size === 0 ? null : (await storePages({ db, objects }, site, pages, readValue)).kept;
}

/** Stores pages as if they were a release of them alone, and returns that. */
export async function storePages(
  { db, objects }: ChunkStore,
  { id, default_locale }: SiteInput,
  { files, reads }: WrittenPages,
  readValue: (key: string) => string,
): Promise<{ kept: KeptPages; release: BaseRelease }> {
  const head = { site: id, release: randomUUID(), default_locale, redirects: {}, not_found: [] };
  const manifest = await storeManifest({ db, objects }, { ...head, tree: patchFiles(null, files, new Set()) });
  const tree = patchReads(null, reads, new Set(), readValue);
  const trace = await storeTrace({ db, objects }, { version: renderVersion, tree });
  const documents = [manifest.root, trace.root].map((one) => Buffer.from(JSON.stringify(one)));
  const [manifestPlace, tracePlace] = await objects.putMany(documents);
  return {
    kept: { manifestHash: manifestPlace!.hash, traceHash: tracePlace!.hash },
    release: { id: head.release, manifest: manifest.manifest, trace: trace.trace, isUnfinished: true },
  };
}

/** Reads the pages that an earlier build kept and pins them. Returns null when one of them has been collected. */
export async function readKeptPages(db: Db, objects: ObjectStore, kept: KeptPages): Promise<BaseRelease | null> {
  try {
    const manifest = await readManifestTree(objects, kept.manifestHash);
    const trace = await readTraceTree(objects, kept.traceHash);
    const hashes = chunksOf(manifest.tree).flatMap(({ files }) => Object.values(files).map(([hash]) => hash));
    await objects.pin(db, hashes);
    return { id: manifest.release, manifest, trace, isUnfinished: true };
  } catch (error) {
    if (error instanceof MissingObject) return null;
    throw error;
  }
}

/** Returns the hashes of pages from an unfinished build, which no release has pinned yet. */
export function unpinnedHashes({ kept }: Choice): string[] {
  const hashes: string[] = [];
  for (const [path, supplier] of kept) if (supplier.isUnfinished) hashes.push(hashAt(supplier.manifest, path)!);
  return hashes;
}
