import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyObjects } from '../../../services/engines/objects/copy/copy-objects.ts';
import { countUncopied, targetName } from '../../../services/engines/objects/copy/progress.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { openObjectStore } from '../../../services/engines/objects/store.ts';
import { clearFallback, readEngines, recordEngines } from '../../../services/engines/record/record.ts';
import type { Database } from '../../../services/engines/sql/database.ts';
import { holdLeases, withLease } from '../../../services/engines/sql/lease.ts';

import { type OwnDatabase, openOwnDatabase } from '../../harness/own-database.ts';

let own: OwnDatabase;
let db: Database;

/** Each test has an installation of its own: a database and two folders for objects. */
beforeEach(async () => {
  own = await openOwnDatabase();
  db = own.db;
}, 120_000);
afterEach(() => own?.close());

const settings = (name: string) => ({ engine: 'files', folder: path.join(own.folder, name), minFreeBytes: 0 }) as const;
const from = () => openKeyedStore(settings('from'));
const to = () => openKeyedStore(settings('to'));
const target = targetName({ engine: 's3', bucket: 'b' });
const store = () => openObjectStore(settings('from'), db);
const nothing = { signal: new AbortController().signal, onProgress: () => undefined };
const copy = (options = nothing) => copyObjects(db, { from: from(), to: to(), target }, options);

async function keysOf(keyed: ReturnType<typeof from>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of keyed.list('')) keys.push(key);
  return keys.sort();
}

/** Stores some packs of many blobs, one large object, and one without a row in SQL. */
async function fill(): Promise<void> {
  for (let pack = 0; pack < 5; pack++) {
    await store().putMany(Array.from({ length: 40 }, (_, n) => randomBytes(n * 50)));
  }
  await store().putBytes(randomBytes(9_000_000));
  await from().put('packs/orphan', randomBytes(10));
}

describe('copying', () => {
  test('brings every object that SQL knows, and a second pass finds nothing to do', async () => {
    await fill();
    expect(await countUncopied(db, target)).toBe(6);
    const first = await copy();
    expect(first).toMatchObject({ objects: 6, copied: 6, present: 0, lost: 0, damaged: [] });
    expect(await keysOf(to())).toEqual((await keysOf(from())).filter((key) => key !== 'packs/orphan'));
    for (const key of await keysOf(to())) expect((await to().get(key))!.equals((await from().get(key))!)).toBe(true);
    expect(await countUncopied(db, target)).toBe(0);
    expect(await copy()).toMatchObject({ objects: 6, copied: 0, bytes: 0, present: 6 });
  });

  test('that is stopped goes on where it was', async () => {
    await fill();
    const stop = new AbortController();
    const stopped = copy({
      signal: stop.signal,
      onProgress: ({ objects }: { objects: number }) => {
        if (objects === 2) stop.abort(new Error('stopped'));
      },
    } as typeof nothing);
    await expect(stopped).rejects.toThrow('stopped');
    const done = (await keysOf(to())).length;
    expect(done).toBeGreaterThanOrEqual(2);
    expect(await copy()).toMatchObject({ objects: 6, copied: 6 - done, present: done });
  });

  test('replaces what lies in the target with other bytes, or not whole', async () => {
    await fill();
    const [first, second] = await keysOf(from());
    await to().put(first!, randomBytes((await from().size(first!))!));
    await to().put(second!, (await from().get(second!))!.subarray(0, 10));
    expect(await copy()).toMatchObject({ copied: 6, damaged: [] });
    expect((await to().get(first!))!.equals((await from().get(first!))!)).toBe(true);
    await to().put(second!, Buffer.from('cut'));
    expect(await copy()).toMatchObject({ copied: 1, present: 5 });
  });

  test('names blobs that are damaged in the source, and brings the others of their object', async () => {
    await fill();
    const [place] = await db.query<{ hash: string; object_key: string; object_offset: number }>(
      'SELECT hash, object_key, object_offset FROM objects WHERE object_offset > 0 AND bytes > 0 LIMIT 1',
    );
    const body = (await from().get(place!.object_key))!;
    body[place!.object_offset]! ^= 1;
    await from().put(place!.object_key, body);
    expect(await copy()).toMatchObject({ objects: 6, copied: 6, damaged: [place!.hash] });
    expect((await to().get(place!.object_key))!.equals(body)).toBe(true);
  });

  test('counts objects that neither store has, and passes over those that are collected meanwhile', async () => {
    await fill();
    const [lost] = (await keysOf(from())).filter((key) => key !== 'packs/orphan');
    await from().remove([lost!]);
    expect(await copy()).toMatchObject({ objects: 6, copied: 5, lost: 1 });
    await db.query('DELETE FROM objects WHERE object_key = $1', [lost]);
    expect(await copy()).toMatchObject({ objects: 5, copied: 0, lost: 0 });
  });

  test('keeps collection from running, also beyond the length of a lease, and waits for one that runs', async () => {
    const hold = (work: () => Promise<string>) => {
      const waited: string[] = [];
      const options = { onWait: (name: string) => void waited.push(name), signal: nothing.signal };
      return holdLeases(db, ['objects-copy', 'collection'], options, work).then((result) => [result, waited]);
    };
    const collect = () => withLease(db, 'collection', {}, async () => 'collected');
    expect(await hold(async () => String(await collect()))).toEqual(['null', []]);
    expect(await collect()).toBe('collected');
    let copied: Promise<unknown> | undefined;
    await withLease(db, 'collection', { everyMs: 60_000 }, async () => {
      copied = hold(async () => 'copied');
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(await Promise.race([copied, 'waits'])).toBe('waits');
    });
    expect(await copied).toEqual(['copied', ['collection']]);
    // the blocked work is due at its usual time
    expect(await collect()).toBeNull();
  });

  test('collectors of earlier versions, which do not follow chunks, are never due', async () => {
    expect(await withLease(db, 'collect', {}, async () => 'collected')).toBeNull();
  });

  test('that was killed holds collection up for no longer than its lease', async () => {
    await db.query(
      `INSERT INTO leases (name, holder, expires_at) VALUES ('collection', gen_random_uuid(), now() + INTERVAL '1 second')`,
    );
    const collect = () => withLease(db, 'collection', {}, async () => 'collected');
    expect(await collect()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await collect()).toBe('collected');
  });
});

describe('the record of the engines', () => {
  const embedded = { actors: { engine: 'embedded' }, objects: { engine: 'files' } } as const;

  test('of a new installation is what its settings say, and stays', async () => {
    expect(await readEngines(db)).toBeUndefined();
    expect(await recordEngines(db, embedded)).toEqual({ actors: 'embedded', objects: 'files', fallback: null });
    const other = { actors: { engine: 'temporal' }, objects: { engine: 's3' } } as const;
    expect(await recordEngines(db, other)).toEqual({ actors: 'embedded', objects: 'files', fallback: null });
  });

  test('of an installation of an earlier release is what that release ran on', async () => {
    await store().putBytes(Buffer.from('something'));
    expect(await recordEngines(db, embedded)).toEqual({ actors: 'temporal', objects: 's3', fallback: null });
  });

  test('forgets the store before only for a copy from there to the present one', async () => {
    await recordEngines(db, embedded);
    await db.query("UPDATE engines SET objects = 's3', fallback = 'files'");
    expect(await clearFallback(db, 's3', 'files')).toBe(false);
    expect(await clearFallback(db, 'files', 's3')).toBe(true);
    expect(await readEngines(db)).toMatchObject({ objects: 's3', fallback: null });
    expect(await clearFallback(db, 'files', 's3')).toBe(false);
  });
});
