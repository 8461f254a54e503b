import { randomUUID } from 'node:crypto';
import {
  createManifestWriter,
  findChunks,
  getManifestFile,
  type Manifest,
  type ReadBytes,
  readDocument,
  readManifest,
  type StoredInputs,
} from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { type HashedPlace, MissingObject, type ObjectStore } from '../../engines/objects/store.ts';
import { assetsOf, keepAssets } from './kept-assets.ts';

/** A release as stored in a backup. */
export interface BackedUpRelease {
  manifest_hash: string;
  inputs_hash: string;
  trace_hash: string;
  pages: number;
  changed: number;
  bytes: number;
}

/** The same pages with a new id and the current places of their bytes. */
export interface RestoredRelease extends BackedUpRelease {
  id: string;
  manifest: Manifest;
  /** Every object that it refers to, and its place in the manifest. */
  places: Map<string, HashedPlace>;
}

/** The documents of a release, and the hashes of the chunks of its manifest and trace. */
interface ReadRelease {
  manifest: Manifest;
  inputs: StoredInputs;
  manifestChunks: string[];
  traceChunks: string[];
}

/** Returns the hashes that a release refers to beyond its row. */
export function hashesOfRelease({ manifest, inputs, manifestChunks, traceChunks }: ReadRelease): string[] {
  return [
    ...manifestChunks,
    ...traceChunks,
    ...Object.values(manifest.files).map(([hash]) => hash),
    ...(inputs.shell ?? []).map(({ hash }) => hash),
    ...inputs.components.flatMap(({ source_hash, compiled_hash }) => [source_hash, compiled_hash]),
    ...inputs.media.flatMap(({ sha256, variants }) => [sha256, ...variants.map(({ hash }) => hash)]),
  ];
}

/** Reads the documents of a release. Throws MissingObject. */
export async function readRelease(
  objects: ReadBytes,
  { manifest_hash, inputs_hash, trace_hash }: Pick<BackedUpRelease, 'manifest_hash' | 'inputs_hash' | 'trace_hash'>,
): Promise<ReadRelease> {
  const [manifest, inputs, manifestRoot, traceRoot] = await Promise.all([
    readManifest(objects, manifest_hash),
    readDocument<StoredInputs>(objects, inputs_hash),
    objects.getBytes(manifest_hash),
    objects.getBytes(trace_hash),
  ]);
  return { manifest, inputs, manifestChunks: findChunks(manifestRoot), traceChunks: findChunks(traceRoot) };
}

/**
 * Stores the documents of a release again with the current places of objects; `renumber` maps items to the revisions
 * that their rows will have. Nothing becomes visible. Throws MissingObject.
 */
export async function storeRestoredRelease(
  objects: ObjectStore,
  release: BackedUpRelease,
  renumber: (id: string, revision: number) => number,
): Promise<RestoredRelease> {
  const read = await readRelease(objects, release);
  const { manifest, inputs } = read;
  const id = randomUUID();
  // the restored manifest is one document
  const hashes = hashesOfRelease({ ...read, manifestChunks: [] });
  const places = await objects.locate(hashes);
  const lost = hashes.find((hash) => !places.has(hash));
  if (lost) throw new MissingObject(`Nothing is stored under ${lost}.`);
  const writer = createManifestWriter(manifest.site, id, manifest.default_locale);
  for (const path of Object.keys(manifest.files)) {
    const { hash, type, csp } = getManifestFile(manifest, path)!;
    writer.add(path, places.get(hash)!, type, csp);
  }
  writer.manifest.redirects = manifest.redirects;
  writer.manifest.not_found = manifest.not_found;
  inputs.items = inputs.items.map(([item, revision]) => [item, renumber(item, revision)]);
  const [manifestPlace, inputsPlace] = await objects.putMany(
    [writer.manifest, inputs].map((document) => Buffer.from(JSON.stringify(document))),
  );
  const { trace_hash, pages, changed, bytes } = release;
  return {
    id,
    manifest: writer.manifest,
    places,
    manifest_hash: manifestPlace!.hash,
    inputs_hash: inputsPlace!.hash,
    trace_hash,
    pages,
    changed,
    bytes,
  };
}

/**
 * Inserts a restored release and its assets in the caller's transaction. Throws MissingObject when an object has moved
 * meanwhile.
 */
export async function insertRestoredRelease(
  tx: Db,
  objects: ObjectStore,
  siteId: string,
  release: RestoredRelease,
): Promise<void> {
  const { id, manifest, places, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes } = release;
  const pinned = await objects.pin(tx, [...places.keys(), manifest_hash, inputs_hash, trace_hash]);
  for (const [hash, { key }] of places) {
    if (pinned.get(hash)?.key !== key) throw new MissingObject(`The object ${hash} has moved.`);
  }
  await tx.query(
    `INSERT INTO releases (id, site_id, preview, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes)
     VALUES ($1, $2, false, $3, $4, $5, $6, $7, $8)`,
    [id, siteId, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes],
  );
  await keepAssets(tx, siteId, assetsOf(manifest));
}
