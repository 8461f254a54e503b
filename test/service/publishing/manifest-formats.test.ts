import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import {
  findChunks,
  type Manifest,
  type ManifestRoot,
  readDocument,
  readManifest,
  readTraceTree,
  type Trace,
  type TraceRoot,
} from '../../../services/build/format.ts';
import { registerEdge } from '../../../services/engines/edges/registry.ts';
import { collectGarbage } from '../../../services/features/collection/index.ts';
import { type Builder, createBuilder } from '../../../services/features/publishing/builder.ts';
import { askPublish, builderApp, insertBareSite, readJob, selectLiveDocuments } from '../../harness/bare-site.ts';
import { openOwnObjects, provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const dayMs = 24 * 60 * 60 * 1000;

beforeEach(() => own.db.query('DELETE FROM edges'));

/** Publishes the site with a worker, by default one that knows nothing of earlier builds. Returns its manifest and what was rendered. */
async function publish(siteId: string, worker?: Builder) {
  const job = await askPublish(own.db, siteId);
  const builder = worker ?? createBuilder(builderApp(own.db, own.objects));
  await builder.build({ siteId, target: 'live' }, { signal: new AbortController().signal, attempt: 1 });
  if (!worker) await builder.close();
  const row = await selectLiveDocuments(own.db, siteId);
  const { format } = await readDocument<Manifest | ManifestRoot>(own.objects, row.manifest_hash);
  const { files } = await readManifest(own.objects, row.manifest_hash);
  const trace = await readDocument<Trace | TraceRoot>(own.objects, row.trace_hash);
  expect('format' in trace).toBe(format === 2);
  await readTraceTree(own.objects, row.trace_hash);
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
  const siteId = await insertBareSite(own.db, own.objects);
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

/** Collects until everything is deleted that no release refers to. */
async function collectAll() {
  const retention = { newest: 1, days: 1 };
  for (const days of [2, 4, 6]) {
    const now = new Date(Date.now() + days * dayMs);
    await collectGarbage({ db: own.db, objects: own.objects }, { graceMs: dayMs, retention, now });
  }
}

test('chunks that no release refers to are collected, and the worker that has them in memory stores them again', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const worker = createBuilder(builderApp(own.db, own.objects));
  const { paths } = await publish(siteId, worker);
  await collectAll();
  await newEdge();
  expect(await publish(siteId, worker)).toMatchObject({ format: 2, paths, result: { rendered: 0, reused: 2 } });
  await oldEdge(60);
  expect(await publish(siteId, worker)).toMatchObject({ format: 1, paths });
  await collectAll();
  await own.db.query('DELETE FROM edges WHERE manifest_format = 1');
  expect(await publish(siteId, worker)).toMatchObject({ format: 2, paths, result: { rendered: 0, reused: 2 } });
  await worker.close();
});

test('for an hour after an upgrade began, manifests stay single documents', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  await newEdge();
  const upgradedAt = (minutes: number) =>
    own.db.query(`UPDATE installation SET chunks_from = now() + $1::INT8 * INTERVAL '1 minute'`, [minutes]);
  await upgradedAt(30);
  expect(await publish(siteId)).toMatchObject({ format: 1 });
  await upgradedAt(-1);
  expect(await publish(siteId)).toMatchObject({ format: 2 });
});

test('an edge that is registered again with the same id announces what it reads now', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  await oldEdge(60);
  const [row] = await own.db.query<{ id: string }>('SELECT id FROM edges');
  await registerEdge(own.db, { id: row!.id, url: 'http://localhost:1' }, 60_000);
  expect(await publish(siteId)).toMatchObject({ format: 2 });
});

test('an edge of an earlier version that was registered within the last hour counts, one before does not', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  await newEdge();
  await oldEdge(-2 * 3600);
  expect(await publish(siteId)).toMatchObject({ format: 2 });
  await oldEdge(-60);
  expect(await publish(siteId)).toMatchObject({ format: 1 });
});

test('a page that a template changed is rendered on the base of a release in chunks', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  await newEdge();
  await publish(siteId);
  const hash = await own.objects.putBytes(Buffer.from('another home'));
  await own.db.query(`UPDATE shell_files SET hash = $2 WHERE site_id = $1 AND path = 'home.twig'`, [siteId, hash]);
  expect(await publish(siteId)).toMatchObject({ format: 2, result: { rendered: 1, reused: 1, changed: 1 } });
});

/** Returns the first chunk of a root. */
const chunkIn = async (root: string) => findChunks(await own.objects.getBytes(root))[0]!;
const forgetRecord = (hash: string) => own.db.query('DELETE FROM objects WHERE hash = $1', [hash]);
const removeObject = async (hash: string) =>
  own.objects.removeObjects([(await own.objects.locate([hash])).get(hash)!.key]);

test.each([
  ['trace', 'its record', 'trace_hash', true, forgetRecord],
  ['trace', 'its object', 'trace_hash', true, removeObject],
  ['manifest', 'its record', 'manifest_hash', true, forgetRecord],
  ['manifest', 'its object', 'manifest_hash', true, removeObject],
  ['manifest', 'the object of its root', 'manifest_hash', false, removeObject],
] as const)('a site whose %s lost %s is published again, with all pages rendered', async (...given) => {
  const [, , column, isChunk, lose] = given;
  const siteId = await insertBareSite(own.db, own.objects);
  await newEdge();
  const { paths } = await publish(siteId);
  const { [column]: root } = await selectLiveDocuments(own.db, siteId);
  await lose(isChunk ? await chunkIn(root) : root);
  const worker = createBuilder(builderApp(own.db, await openOwnObjects(own))); // without the bytes in memory
  const job = await askPublish(own.db, siteId);
  await worker.build({ siteId, target: 'live' }, { signal: new AbortController().signal, attempt: 1 });
  await worker.close();
  expect((await readJob(own.db, job)).result).toMatchObject({ rendered: 2, reused: 0 });
  const stored = await openOwnObjects(own);
  const live = await selectLiveDocuments(own.db, siteId);
  expect(Object.keys((await readManifest(stored, live.manifest_hash)).files)).toEqual(paths);
  await readTraceTree(stored, live.trace_hash);
});
