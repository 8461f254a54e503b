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
import type { PageOrder } from './render/protocol.ts';
import { createTraceWriter, readsOf, type Trace } from './trace.ts';
import { renderVersion } from './version.ts';

/** Objects that hold what a build had finished when its time was over. */
export interface KeptPages {
  manifestHash: string;
  traceHash: string;
}

/** What a build that runs out of time has finished so far. */
export interface Unfinished {
  orders: readonly PageOrder[];
  choice: Choice;
  store: PageStore;
  readValue(key: string): string;
}

const hashesOf = ({ files }: Manifest) => [...new Set(Object.values(files).map(([hash]) => hash))];

/**
 * Stores what a build has finished as if it were a release of few pages, so that the next build takes from it every page that is
 * still as it was. Pages that it had itself from such a stop are among them.
 */
export async function keepPages(
  objects: ObjectStore,
  { inputs: { site } }: BuildTask,
  { orders, choice, store, readValue }: Unfinished,
): Promise<KeptPages | null> {
  await store.finish([]);
  const manifest = createManifestWriter(site.id, randomUUID(), site.default_locale);
  const trace = createTraceWriter(renderVersion, readValue);
  for (const { plan } of orders) {
    const page = store.pages.get(plan.path);
    const base = choice.kept.get(plan.path);
    if (page) {
      manifest.add(plan.path, page.place, page.type, page.policy);
      trace.add(plan.path, store.reads.get(plan.path)!);
    } else if (base?.isUnfinished) {
      manifest.copy(plan.path, base.manifest);
      trace.add(plan.path, readsOf(base.trace, plan.path));
    }
  }
  if (Object.keys(manifest.manifest.files).length === 0) return null;
  const documents = [manifest.manifest, trace.trace].map((one) => Buffer.from(JSON.stringify(one)));
  const [manifestPlace, tracePlace] = await objects.putMany(documents);
  return { manifestHash: manifestPlace!.hash, traceHash: tracePlace!.hash };
}

/** The pages that an earlier build kept; null when one of them has been collected. */
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

/** The hashes of pages that come from an unfinished build: no release pins them yet. */
export function unpinnedHashes({ kept }: Choice): string[] {
  return [...kept].flatMap(([path, base]) => (base.isUnfinished ? [base.manifest.files[path]![0]] : []));
}
