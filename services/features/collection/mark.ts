import type { Db } from '../../core/db.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
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

/**
 * Returns the documents of releases, which contain further references: manifests refer to files, inputs to components
 * and media.
 */
async function selectDocuments(tx: Db): Promise<Set<string>> {
  const rows = await tx.query<{ manifest_hash: string; inputs_hash: string }>(
    'SELECT manifest_hash, inputs_hash FROM releases',
  );
  return new Set(rows.flatMap((row) => [row.manifest_hash, row.inputs_hash]));
}

/**
 * Returns all references. The rows are read in one transaction, so that a reference that moves between tables is seen
 * in one of them. Throws when a release cannot be read: its references are unknown, so nothing may be collected.
 */
export async function markReferences({ db, objects }: MarkDeps, signal?: AbortSignal): Promise<HashFilter> {
  const { filter, documents } = await db.transaction(async (tx) => {
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
  for (const document of documents) {
    signal?.throwIfAborted();
    for (const hash of findHashes((await objects.getBytes(document)).toString('latin1'))) filter.add(hash);
  }
  return filter;
}
