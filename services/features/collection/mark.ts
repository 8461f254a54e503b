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
  releases: Set<string>;
  /** Traces, which may refer to chunks; these refer to nothing. A build that finds one lost renders all pages. */
  traces: Set<string>;
  /** Manifests with the pages of builds that ran out of time, and of shards. A build that finds one lost renders them again. */
  kept: Set<string>;
}

async function selectDocuments(tx: Db): Promise<Documents> {
  const releases = await tx.query<{ manifest_hash: string; inputs_hash: string; trace_hash: string }>(
    'SELECT manifest_hash, inputs_hash, trace_hash FROM releases',
  );
  const kept = await tx.query<{ kept_manifest_hash: string; kept_trace_hash: string }>(
    `SELECT kept_manifest_hash, kept_trace_hash FROM build_attempts WHERE kept_manifest_hash IS NOT NULL
     UNION ALL SELECT manifest_hash, trace_hash FROM build_shards WHERE manifest_hash IS NOT NULL`,
  );
  return {
    releases: new Set(releases.flatMap((row) => [row.manifest_hash, row.inputs_hash])),
    traces: new Set([...releases.map((row) => row.trace_hash), ...kept.map((row) => row.kept_trace_hash)]),
    kept: new Set(kept.map((row) => row.kept_manifest_hash)),
  };
}

type ReadDocument = (hash: string) => Promise<Buffer | null>;

/** Adds what a document refers to. Returns its bytes. */
async function markDocument(read: ReadDocument, filter: HashFilter, hash: string): Promise<Buffer | null> {
  const bytes = await read(hash);
  if (bytes) for (const found of findHashes(bytes.toString('latin1'))) filter.add(found);
  return bytes;
}

/** Adds what these documents and their chunks refer to. Chunks that several releases share are read once. */
async function markAll(read: ReadDocument, filter: HashFilter, documents: Iterable<string>): Promise<void> {
  const chunks = new Set<string>();
  for (const hash of documents) {
    const bytes = await markDocument(read, filter, hash);
    if (bytes) for (const chunk of findChunks(bytes)) chunks.add(chunk);
  }
  for (const chunk of chunks) await markDocument(read, filter, chunk);
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
  const read = async (hash: string): Promise<Buffer> => {
    signal?.throwIfAborted();
    return deps.objects.getBytes(hash);
  };
  const readIfThere: ReadDocument = (hash) =>
    read(hash).catch((error: unknown) => {
      if (error instanceof MissingObject) return null;
      throw error;
    });
  await markAll(read, filter, documents.releases);
  await markAll(readIfThere, filter, documents.kept);
  for (const hash of documents.traces) await markDocument(readIfThere, filter, hash);
  return filter;
}
