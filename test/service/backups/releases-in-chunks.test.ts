import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { findChunks, readManifest } from '../../../services/build/format.ts';
import { registerEdge } from '../../../services/engines/edges/registry.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { MissingObject } from '../../../services/engines/objects/store.ts';
import {
  BackupDamaged,
  compress,
  putDocument,
  readBlobMap,
  toBlobMap,
} from '../../../services/features/backups/archive.ts';
import { createBackup } from '../../../services/features/backups/create.ts';
import { verifyBackup } from '../../../services/features/backups/verify.ts';
import { createBuilder } from '../../../services/features/publishing/builder.ts';
import { type BackedUpRelease, storeRestoredRelease } from '../../../services/features/publishing/index.ts';
import { askPublish, builderApp, insertBareSite } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
let siteId: string;
let release: BackedUpRelease;

beforeAll(async () => {
  siteId = await insertBareSite(own.db, own.objects);
  await registerEdge(own.db, { id: randomUUID(), url: 'http://localhost:1' }, 60_000);
  await askPublish(own.db, siteId);
  const builder = createBuilder(builderApp(own.db, own.objects));
  await builder.build({ siteId, target: 'live' }, { signal: new AbortController().signal, attempt: 1 });
  await builder.close();
  [release] = (await own.db.query(
    'SELECT manifest_hash, inputs_hash, trace_hash, pages, changed, bytes FROM releases WHERE site_id = $1',
    [siteId],
  )) as unknown as [BackedUpRelease];
}, 120_000);

const chunksOf = async (hash: string) => findChunks(await own.objects.getBytes(hash));

test('a backup without a chunk, or without a page that only a chunk names, is damaged', async () => {
  const bucket = openKeyedStore({ engine: 'files', folder: path.join(own.folder, 'backups'), minFreeBytes: 0 });
  await bucket.ensure();
  const backup = await createBackup({ db: own.db, objects: own.objects, bucket, config: { backupKeep: 5 } }, siteId);
  await verifyBackup({ db: own.db, bucket }, backup);
  const places = await readBlobMap(bucket, backup);
  const { files } = await readManifest(own.objects, release.manifest_hash);
  const [ofFiles, ofReads] = [await chunksOf(release.manifest_hash), await chunksOf(release.trace_hash)];
  for (const lost of [files['/']![0], ofFiles[0]!, ofReads[0]!]) {
    const rest = new Map([...places].filter(([hash]) => hash !== lost));
    expect(rest.size).toBe(places.size - 1);
    const manifest = await putDocument(bucket, randomUUID(), await compress(JSON.stringify(toBlobMap(rest))));
    const damaged = verifyBackup({ db: own.db, bucket }, { ...backup, manifest });
    await expect(damaged).rejects.toThrow(new BackupDamaged(`The backup lacks the object ${lost}.`));
  }
});

test('a restored release refers to the chunks of its trace, and none of those may be lost', async () => {
  const restored = await storeRestoredRelease(own.objects, release, (_id, revision) => revision);
  const [ofFiles, [ofReads]] = [await chunksOf(release.manifest_hash), await chunksOf(release.trace_hash)];
  expect(restored.places.has(ofReads!)).toBe(true);
  expect(ofFiles.filter((hash) => restored.places.has(hash))).toEqual([]);
  await own.db.query('DELETE FROM objects WHERE hash = $1', [ofReads]);
  const again = storeRestoredRelease(own.objects, release, (_id, revision) => revision);
  await expect(again).rejects.toThrow(MissingObject);
});
