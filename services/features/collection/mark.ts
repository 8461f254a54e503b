import { findChunks } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { MissingObject, type ObjectStore } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { createHashFilter, type HashFilter } from './hash-filter.ts';
import { findHashes, readReferences, referenceSources } from './references.ts';

interface MarkDeps {
  db: Database;
  objects: Pick<ObjectStore, 'getBytes'>;
}

async function createFilter(tx: Db): Promise<HashFilter> {
  const [row] = await tx.query<{ total: number }>('SELECT count(*) AS total FROM objects');
  return createHashFilter(row!.total);
}

/** The documents of releases that refer to objects. */
interface Documents {
  /** Manifests, which refer to files or to chunks that do, and inputs, which refer to components and media. */
  required: Set<string>;
  /** Traces and the pages of builds that ran out of time: a build that finds them lost renders all pages. */
  optional: Set<string>;
}

async function selectDocuments(tx: Db): Promise<Documents> {
  const releases = await tx.query<{ manifest_hash: string; inputs_hash: string; trace_hash: string }>(
    'SELECT manifest_hash, inputs_hash, trace_hash FROM releases',
  );
  const kept = await tx.query<{ kept_manifest_hash: string; kept_trace_hash: string }>(
    'SELECT kept_manifest_hash, kept_trace_hash FROM build_attempts WHERE kept_manifest_hash IS NOT NULL',
  );
  return {
    required: new Set(releases.flatMap((row) => [row.manifest_hash, row.inputs_hash])),
    optional: new Set([
      ...releases.map((row) => row.trace_hash),
      ...kept.flatMap((row) => [row.kept_manifest_hash, row.kept_trace_hash]),
    ]),
  };
}

/** Adds what the documents refer to, also through the chunks that they refer to. Throws MissingObject. */
async function markDocuments(
  { objects }: MarkDeps,
  filter: HashFilter,
  documents: Iterable<string>,
  signal: AbortSignal | undefined,
  isOptional: boolean,
): Promise<void> {
  const chunks = new Set<string>();
  const read = async (hash: string): Promise<Buffer | null> => {
    signal?.throwIfAborted();
    try {
      return await objects.getBytes(hash);
    } catch (error) {
      if (isOptional && error instanceof MissingObject) return null;
      throw error;
    }
  };
  const add = async (hash: string): Promise<void> => {
    const bytes = await read(hash);
    if (!bytes) return;
    for (const found of findHashes(bytes.toString('latin1'))) filter.add(found);
    for (const chunk of findChunks(bytes)) chunks.add(chunk);
  };
  for (const hash of documents) await add(hash);
  for (const chunk of [...chunks]) await add(chunk);
}

/**
 * Returns all references. The rows are read in one transaction, so that a reference that moves between tables is seen
 * in one of them. Throws when a release cannot be read: its references are unknown, so nothing may be collected.
 */
export async function markReferences(deps: MarkDeps, signal?: AbortSignal): Promise<HashFilter> {
  const { filter, documents } = await deps.db.transaction(async (tx) => {
    await tx.query('SET TRANSACTION READ ONLY');
    const made = await createFilter(tx);
    for (const source of referenceSources) {
      for await (const hashes of readReferences(tx, source)) {
        signal?.throwIfAborted();
        for (const hash of hashes) made.add(hash);
      }
    }
    return { filter: made, documents: await selectDocuments(tx) };
  });
  await markDocuments(deps, filter, documents.required, signal, false);
  await markDocuments(deps, filter, documents.optional, signal, true);
  return filter;
}
