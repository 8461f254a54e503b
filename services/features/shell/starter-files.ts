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

let stored: Promise<StoredStarterFile[]> | undefined;

/** The starter shell's files in the object store; stored once per process, and found there by every other one. */
export function storeStarterShell(objects: ObjectStore): Promise<StoredStarterFile[]> {
  stored ??= readAndStore(objects).catch((error: unknown) => {
    stored = undefined;
    throw error;
  });
  return stored;
}

async function readAndStore(objects: ObjectStore): Promise<StoredStarterFile[]> {
  const files = await readStarterShell();
  const places = await objects.putMany(files.map(({ bytes }) => bytes));
  return files.map(({ path, bytes }, index) => ({
    path,
    hash: places[index]!.hash,
    bytes: bytes.length,
    content_type: contentTypeOf(path),
  }));
}

export async function insertStarterShell(db: Db, siteId: string, files: readonly StoredStarterFile[]): Promise<void> {
  await db.query(
    `INSERT INTO shell_files (site_id, path, hash, bytes, content_type)
     SELECT $1::UUID, f->>'path', f->>'hash', (f->>'bytes')::INT8, f->>'content_type' FROM jsonb_array_elements($2::JSONB) AS t (f)`,
    [siteId, JSON.stringify(files)],
  );
}
