import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { getManifestFile, readManifest, readTraceTree } from '../../../services/build/format.ts';
import { registerEdge } from '../../../services/engines/edges/registry.ts';
import type { Database } from '../../../services/engines/sql/database.ts';
import { collectGarbage } from '../../../services/features/collection/index.ts';
import { createBuilder } from '../../../services/features/publishing/builder.ts';
import { askPublish, builderApp, insertBareSite, selectLiveDocuments } from '../../harness/bare-site.ts';
import { openOwnObjects, provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const dayMs = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  await registerEdge(own.db, { id: randomUUID(), url: 'http://localhost:1' }, 3_600_000);
}, 120_000);

async function publish(siteId: string) {
  const builder = createBuilder(builderApp(own.db, own.objects));
  await askPublish(own.db, siteId);
  await builder.build({ siteId, target: 'live' }, { signal: new AbortController().signal, attempt: 1 });
  await builder.close();
}

/** Reads everything of the live release from the store. Returns the bytes of its home page; throws MissingObject. */
async function readLive(siteId: string): Promise<string> {
  const documents = await selectLiveDocuments(own.db, siteId);
  const stored = await openOwnObjects(own); // without bytes in memory
  await readTraceTree(stored, documents.trace_hash);
  const manifest = await readManifest(stored, documents.manifest_hash);
  for (const path of Object.keys(manifest.files)) await stored.readAt(getManifestFile(manifest, path)!);
  return String(await stored.readAt(getManifestFile(manifest, '/')!));
}

/** Returns what a collection needs, and ends it before its operation `last`, as when its process is killed there. */
function killedAt(last: number) {
  let operations = 0;
  const step = () => {
    if (++operations >= last) throw new Error('The process is killed.');
  };
  const killable = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          step();
          if (name !== 'transaction') return member.apply(target, given);
          const [work] = given as [(tx: Database) => unknown];
          return member.call(target, (tx: Database) => work(killable(tx)));
        };
      },
    });
  return { db: killable(own.db), objects: killable(own.objects) };
}

test('a collection that is killed at any of its operations loses nothing of a release in chunks', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  for (const text of ['one', 'two', 'three']) {
    const hash = await own.objects.putBytes(Buffer.from(text));
    await own.db.query(`UPDATE shell_files SET hash = $2 WHERE site_id = $1 AND path = 'home.twig'`, [siteId, hash]);
    await publish(siteId);
  }
  const count = async () => (await own.db.query<{ n: number }>('SELECT count(*) AS n FROM objects'))[0]!.n;
  const before = await count();
  const retention = { newest: 1, days: 1 };
  let killed = 0;
  for (let days = 2; ; days += 2) {
    const now = new Date(Date.now() + days * dayMs);
    const options = { graceMs: dayMs, retention, now };
    const outcome = await collectGarbage(killedAt(killed + 1), options).then(
      () => 'ended',
      (error: Error) => error.message,
    );
    expect(await readLive(siteId)).toContain('three');
    if (outcome === 'ended') break;
    expect(outcome).toBe('The process is killed.');
    killed++;
  }
  expect(killed).toBeGreaterThan(10);
  for (const days of [1000, 1002, 1004])
    await collectGarbage(
      { db: own.db, objects: own.objects },
      { graceMs: dayMs, retention, now: new Date(Date.now() + days * dayMs) },
    );
  expect(await count()).toBeLessThan(before);
  expect(await readLive(siteId)).toContain('three');
  await publish(siteId);
  expect(await readLive(siteId)).toContain('three');
}, 180_000);
