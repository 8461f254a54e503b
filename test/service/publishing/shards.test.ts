import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  beatShards,
  finishShard,
  insertShards,
  offerShards,
  selectOfferedShard,
  selectShards,
  takeOfferedShard,
  takeOwnShard,
} from '../../../services/features/publishing/shards/sql.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

describe('shards', () => {
  const version = 'test';

  /** Inserts shards of a build of a new site, and offers them. */
  async function offer(shards: number) {
    const siteId = await insertBareSite(own.db, own.objects);
    const [division, token, worker] = [randomUUID(), randomUUID(), randomUUID()];
    await own.db.query('UPDATE sites SET build_token = $2 WHERE id = $1', [siteId, token]);
    const key = { division, siteId, target: 'live' as const, token, worker };
    expect(await insertShards(own.db, key, { shards, version })).toBe(true);
    await offerShards(own.db, division, 'a'.repeat(64));
    return key;
  }

  /** Takes the next shard as another worker. Returns its build and number. */
  async function takeNext(worker = randomUUID()) {
    const shard = await selectOfferedShard(own.db, { worker, version });
    if (!shard) return null;
    expect(await takeOfferedShard(own.db, shard, worker)).toBe(true);
    return shard;
  }

  /** A worker that is silent for longer than a lease. */
  const silence = (division: string) =>
    own.db.query(`UPDATE build_shards SET seen_at = now() - INTERVAL '1 minute' WHERE division = $1`, [division]);

  test('of several builds are taken in turns, so that no site has all workers', async () => {
    const [first, second] = [await offer(20), await offer(20)];
    for (let n = 0; n < 6; n++) await takeNext();
    for (const { division } of [first, second]) {
      const states = (await selectShards(own.db, division)).map(({ state }) => state);
      expect(states.filter((state) => state === 'taken')).toHaveLength(3);
    }
    // a build that begins later has its share at once
    const third = await offer(20);
    expect((await takeNext())!.division).toBe(third.division);
  });

  test('of the build that a worker has open come first, unless fewer workers render another', async () => {
    await own.db.query('DELETE FROM build_shards');
    const [first, second] = [await offer(20), await offer(20)];
    const worker = randomUUID();
    const next = async (division: string) => {
      const shard = await selectOfferedShard(own.db, { worker, version, division });
      expect(await takeOfferedShard(own.db, shard!, worker)).toBe(true);
      return shard!.division;
    };
    for (let n = 0; n < 3; n++) expect(await next(first.division)).toBe(first.division);
    expect(await takeOwnShard(own.db, first.division, first.worker)).not.toBeNull();
    expect(await next(first.division)).toBe(second.division);
    expect(await takeOwnShard(own.db, second.division, second.worker)).not.toBeNull();
    expect(await next(first.division)).toBe(first.division);
  });

  test('are taken once, and by another worker when the first is lost', async () => {
    const { division, worker } = await offer(1);
    await own.db.query('DELETE FROM build_shards WHERE division <> $1', [division]);
    const shard = await selectOfferedShard(own.db, { worker: randomUUID(), version });
    const taken = await Promise.all([1, 2, 3].map(() => takeOfferedShard(own.db, shard!, randomUUID())));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await takeNext()).toBeNull();
    expect(await takeOwnShard(own.db, division, worker)).toBeNull();
    await silence(division);
    expect(await takeNext()).toMatchObject({ division, number: 0 });
  });

  test('that ended three workers are left to the worker of the build', async () => {
    const { division, worker } = await offer(1);
    await own.db.query('DELETE FROM build_shards WHERE division <> $1', [division]);
    for (let n = 0; n < 3; n++) {
      expect(await takeNext()).toMatchObject({ division });
      await silence(division);
    }
    expect(await takeNext()).toBeNull();
    expect(await takeOwnShard(own.db, division, worker)).toBe(0);
  });

  test('of a build that may no longer swap are not offered, and their workers stop', async () => {
    const { division, siteId } = await offer(2);
    const worker = randomUUID();
    expect((await takeNext(worker))!.division).toBe(division);
    expect(await beatShards(own.db, division, worker)).toBe(1);
    await own.db.query('UPDATE sites SET build_token = $2 WHERE id = $1', [siteId, randomUUID()]);
    expect(await beatShards(own.db, division, worker)).toBe(0);
    expect(await takeNext()).toBeNull();
    const stale = { division: randomUUID(), siteId, target: 'live' as const, token: randomUUID(), worker };
    expect(await insertShards(own.db, stale, { shards: 1, version })).toBe(false);
  });

  test('of another version of the service are left alone', async () => {
    await offer(1);
    expect(await selectOfferedShard(own.db, { worker: randomUUID(), version: 'another' })).toBeNull();
  });

  test('that are done twice have the first result', async () => {
    const { division } = await offer(1);
    const result = (digit: string) => ({ manifestHash: digit.repeat(64), traceHash: digit.repeat(64) });
    expect(await finishShard(own.db, { division, number: 0 }, result('1'))).toBe(true);
    expect(await finishShard(own.db, { division, number: 0 }, result('2'))).toBe(false);
    expect((await selectShards(own.db, division))[0]!.pages).toEqual(result('1'));
    await own.db.query('DELETE FROM build_shards WHERE division = $1', [division]);
  });

  test('after the first fault of a build are not offered', async () => {
    const { division } = await offer(3);
    await own.db.query('DELETE FROM build_shards WHERE division <> $1', [division]);
    await own.db.query(`UPDATE build_shards SET state = 'fault', fault = 'wrong' WHERE division = $1 AND number = 1`, [
      division,
    ]);
    expect((await takeNext())!.number).toBe(0);
    expect(await takeNext()).toBeNull();
  });
});
