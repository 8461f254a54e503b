import { randomUUID } from 'node:crypto';
import type { Db } from '../core/db.ts';
import { MissingObject, type ObjectStore } from '../engines/objects/store.ts';
import type { BaseRelease } from './base-release.ts';
import type { Choice } from './choose.ts';
import { readDocument } from './documents.ts';
import type { Manifest } from './manifest.ts';
import { createManifestWriter } from './manifest-writer.ts';
import type { BuildTask } from './model.ts';
import type { PageStore } from './page-store.ts';
import type { PlannedPage } from './render/protocol.ts';
import { createTraceWriter, type Trace } from './trace.ts';
import { renderVersion } from './version.ts';

/** Objects with the pages that a build had finished when it timed out. */
export interface KeptPages {
  manifestHash: string;
  traceHash: string;
}

/** State of a build that timed out. */
export interface Unfinished {
  pages: readonly PlannedPage[];
  choice: Choice;
  store: PageStore;
  readValue(key: string): string;
}

const hashesOf = ({ files }: Manifest) => [...new Set(Object.values(files).map(([hash]) => hash))];

/**
 * Stores the finished pages of a build as if they were a release with few pages, so that the next build reuses every
 * page that is still current. Includes pages that this build reused from an earlier timed-out build. Returns null when
 * there are no pages.
 */
export async function keepPages(
  objects: ObjectStore,
  { inputs: { site } }: BuildTask,
  { pages, choice, store, readValue }: Unfinished,
): Promise<KeptPages | null> {
  await store.finish([]);
  const manifest = createManifestWriter(site.id, randomUUID(), site.default_locale);
  const trace = createTraceWriter(renderVersion, readValue);
  for (const { plan } of pages) {
    const page = store.pages.get(plan.path);
    const base = choice.kept.get(plan.path);
    if (page) {
      manifest.add(plan.path, page.place, page.type, page.policy);
      trace.add(plan.path, store.reads.get(plan.path)!);
    } else if (base?.isUnfinished) {
      manifest.copy(plan.path, base.manifest);
      trace.copy(plan.path, base.trace);
    }
  }
  if (Object.keys(manifest.manifest.files).length === 0) return null;
  const documents = [manifest.manifest, trace.trace].map((one) => Buffer.from(JSON.stringify(one)));
  const [manifestPlace, tracePlace] = await objects.putMany(documents);
  return { manifestHash: manifestPlace!.hash, traceHash: tracePlace!.hash };
}

/** Reads the pages that an earlier build kept and pins them. Returns null when one of them has been collected. */
export async function readKeptPages(db: Db, objects: ObjectStore, kept: KeptPages): Promise<BaseRelease | null> {
  try {
    const manifest = await readDocument<Manifest>(objects, kept.manifestHash);
    const trace = await readDocument<Trace>(objects, kept.traceHash);
    await objects.pin(db, hashesOf(manifest));
    return { id: manifest.release, manifest, trace, isUnfinished: true };
  } catch (error) {
    if (error instanceof MissingObject) return null;
    throw error;
  }
}

/** Returns the hashes of pages from an unfinished build, which no release has pinned yet. */
export function unpinnedHashes({ kept }: Choice): string[] {
  const hashes: string[] = [];
  for (const [path, base] of kept) if (base.isUnfinished) hashes.push(base.manifest.files[path]![0]);
  return hashes;
}
