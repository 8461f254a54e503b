import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Manifest, type ManifestRoot, readDocument, readManifest } from '../../../services/build/format.ts';
import { registerEdge } from '../../../services/engines/edges/registry.ts';
import type { ObjectStore } from '../../../services/engines/objects/store.ts';
import { createBuilder } from '../../../services/features/publishing/builder.ts';
import { askPublish, builderApp, insertBareSite, openOwnObjects, readJob } from '../../harness/bare-site.ts';
import { type OwnDatabase, openOwnDatabase } from '../../harness/own-database.ts';

let own: OwnDatabase;
let objects: ObjectStore;

beforeAll(async () => {
  own = await openOwnDatabase();
  objects = await openOwnObjects(own);
}, 120_000);
afterAll(() => own?.close());
beforeEach(() => own.db.query('DELETE FROM edges'));

/** Publishes the site with a worker that knows nothing of earlier builds. Returns its manifest and what was rendered. */
async function publish(siteId: string) {
  const job = await askPublish(own.db, siteId);
  const builder = createBuilder(builderApp(own.db, objects));
  await builder.build({ siteId, target: 'live' }, { signal: new AbortController().signal, attempt: 1 });
  await builder.close();
  const [row] = await own.db.query<{ manifest_hash: string }>(
    'SELECT r.manifest_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [siteId],
  );
  const { format } = await readDocument<Manifest | ManifestRoot>(objects, row!.manifest_hash);
  const { files } = await readManifest(objects, row!.manifest_hash);
  return { format, paths: Object.keys(files), result: (await readJob(own.db, job)).result };
}

const newEdge = (leaseMs = 60_000) => registerEdge(own.db, { id: randomUUID(), url: 'http://localhost:1' }, leaseMs);
/** Registers as an edge of an earlier version does. */
const oldEdge = (leaseSeconds: number) =>
  own.db.query(
    `INSERT INTO edges (id, url, expires_at) VALUES ($1, 'http://localhost:1', now() + $2::INT8 * INTERVAL '1 second')`,
    [randomUUID(), leaseSeconds],
  );

test('manifests are in chunks only if every registered edge reads them, and each format builds on the other', async () => {
  const siteId = await insertBareSite(own.db, objects);
  const first = await publish(siteId);
  expect(first).toMatchObject({ format: 1, result: { rendered: 2, reused: 0 } });
  await newEdge();
  const second = await publish(siteId);
  expect(second).toMatchObject({ format: 2, paths: first.paths, result: { rendered: 0, reused: 2, changed: 0 } });
  await oldEdge(60);
  const third = await publish(siteId);
  expect(third).toMatchObject({ format: 1, paths: first.paths, result: { rendered: 0, reused: 2, changed: 0 } });
  await own.db.query('DELETE FROM edges WHERE manifest_format = 1');
  expect(await publish(siteId)).toMatchObject({ format: 2, paths: first.paths, result: { rendered: 0, reused: 2 } });
});

test('an edge of an earlier version whose lease has expired does not count', async () => {
  const siteId = await insertBareSite(own.db, objects);
  await newEdge();
  await oldEdge(-60);
  expect(await publish(siteId)).toMatchObject({ format: 2 });
});

test('a page that a template changed is rendered on the base of a release in chunks', async () => {
  const siteId = await insertBareSite(own.db, objects);
  await newEdge();
  await publish(siteId);
  const hash = await objects.putBytes(Buffer.from('another home'));
  await own.db.query(`UPDATE shell_files SET hash = $2 WHERE site_id = $1 AND path = 'home.twig'`, [siteId, hash]);
  expect(await publish(siteId)).toMatchObject({ format: 2, result: { rendered: 1, reused: 1, changed: 1 } });
});
