import type { Db } from '../../core/db.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import { contentTypeOf } from './paths.ts';
import { readStarterShell } from './starter/index.ts';

export interface StoredStarterFile {
  path: string;
  hash: string;
  bytes: number;
  content_type: string;
}

/**
 * Stores the starter shell's files in the object store. This is done for every site, because files that no site has
 * used for a while are collected.
 */
export async function storeStarterShell(objects: ObjectStore): Promise<StoredStarterFile[]> {
  const files = await readStarterShell();
  const places = await objects.putMany(files.map(({ bytes }) => bytes));
  return files.map(({ path, bytes }, index) => ({
    path,
    hash: places[index]!.hash,
    bytes: bytes.length,
    content_type: contentTypeOf(path),
  }));
}

/**
 * Makes the files the shell of a site, in the caller's transaction. Throws MissingObject when one was collected
 * meanwhile.
 */
export async function insertStarterShell(
  db: Db,
  objects: ObjectStore,
  siteId: string,
  files: readonly StoredStarterFile[],
): Promise<void> {
  await objects.pin(
    db,
    files.map(({ hash }) => hash),
  );
  await db.query(
    `INSERT INTO shell_files (site_id, path, hash, bytes, content_type)
     SELECT $1::UUID, f->>'path', f->>'hash', (f->>'bytes')::INT8, f->>'content_type' FROM jsonb_array_elements($2::JSONB) AS t (f)`,
    [siteId, JSON.stringify(files)],
  );
}
