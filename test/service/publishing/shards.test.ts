import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { shardVersion } from '../../../services/build/index.ts';
import type { Db } from '../../../services/core/db.ts';
import type { ObjectStore } from '../../../services/engines/objects/store.ts';
import type { Database } from '../../../services/engines/sql/database.ts';
import { collectGarbage } from '../../../services/features/collection/index.ts';
import { type Builder, createBuilder } from '../../../services/features/publishing/builder.ts';
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
import { askPublish, builderApp, insertBareSite, openOwnObjects, readJob } from '../../harness/bare-site.ts';
import { type OwnDatabase, openOwnDatabase } from '../../harness/own-database.ts';

let own: OwnDatabase;
let objects: ObjectStore;

beforeAll(async () => {
  own = await openOwnDatabase();
  objects = await openOwnObjects(own);
}, 120_000);
afterAll(() => own?.close());

const live = (siteId: string) => ({ siteId, target: 'live' as const });
const call = (signal = new AbortController().signal) => ({ signal, attempt: 1 });
const locales = ['en', ...Array.from({ length: 9 }, (_, n) => `x${String.fromCharCode(97 + n)}`)];
const sitePages = 4 * locales.length;
const shardPages = 5;
const shardCount = sitePages / shardPages;

/** Settings of one of several workers. */
const settings = { actors: { engine: 'temporal' as const, address: '' }, shardPages };

/** What a worker did, of what it logged and sent to SQL. */
interface Seen {
  shards: number;
  releases: { rendered: number; reused: number }[];
}

interface TestWorker extends Seen {
  builder: Builder;
}

/** Creates a worker whose statements wait for `before` and tell `after`. */
function createWorker(
  hooks: { before?(sql: string): Promise<void>; after?(sql: string): void } = {},
  changed: Partial<typeof settings> & { buildTimeLimitMs?: number } = {},
): TestWorker {
  const seen: Seen = { shards: 0, releases: [] };
  const query: Db['query'] = async (sql, params) => {
    await hooks.before?.(sql);
    const rows = await own.db.query(sql, params);
    if (sql.includes(`SET state = 'done'`)) seen.shards += rows.length;
    hooks.after?.(sql);
    return rows as never;
  };
  const db: Database = { ...own.db, query };
  const app = builderApp(db, objects, { ...settings, ...changed });
  Object.assign(app.log, { info: (about: Seen['releases'][number]) => seen.releases.push(about) });
  return Object.assign(seen, { builder: createBuilder(app) });
}

/** Helps until `signal` aborts, as the worker's sweeper does. */
async function keepHelping({ builder }: TestWorker, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await builder.help();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const takesOwn = (sql: string) => sql.includes('min(s.number)');

/** Waits until the condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Creates a worker that takes shards of its builds only once `mayGoOn` holds. */
const createWaitingWorker = (mayGoOn: () => boolean | Promise<boolean>, changed = {}) =>
  createWorker({ before: async (sql) => (takesOwn(sql) ? until(mayGoOn) : undefined) }, changed);

const selectRows = (siteId: string) =>
  own.db.query<{ division: string; number: number; state: string; inputs_hash: string | null; takes: number }>(
    'SELECT division, number, state, inputs_hash, takes FROM build_shards WHERE site_id = $1 ORDER BY number',
    [siteId],
  );

/** Builds a site with `worker` while `helpers` help. */
async function buildWith(siteId: string, worker: TestWorker, helpers: readonly TestWorker[]) {
  const stopping = new AbortController();
  const helping = helpers.map((helper) => keepHelping(helper, stopping.signal));
  try {
    return await worker.builder.build(live(siteId), call());
  } finally {
    stopping.abort();
    await Promise.all(helping);
    for (const one of [worker, ...helpers]) await one.builder.close();
  }
}

describe('a large build', () => {
  test('is rendered by its worker and others, and leaves no shards', async () => {
    const siteId = await insertBareSite(own.db, objects, { locales });
    const job = await askPublish(own.db, siteId);
    const helpers = [createWorker(), createWorker()];
    const worker = createWaitingWorker(() => helpers.every(({ shards }) => shards > 0));
    expect(await buildWith(siteId, worker, helpers)).toEqual({ result: 'succeeded' });
    const counts = [worker, ...helpers].map(({ shards }) => shards);
    expect(counts.reduce((sum, count) => sum + count)).toBe(shardCount);
    const { status, result } = await readJob(own.db, job);
    expect([status, result!.pages]).toEqual(['succeeded', 2 * locales.length]);
    expect(await selectRows(siteId)).toEqual([]);
  }, 120_000);

  test('goes on when a worker that has taken a shard never answers', async () => {
    const siteId = await insertBareSite(own.db, objects, { locales });
    await askPublish(own.db, siteId);
    let isTaken = false;
    const worker = createWaitingWorker(() => isTaken);
    const silent = async () => {
      for (;;) {
        const shard = await selectOfferedShard(own.db, { worker: randomUUID(), version: shardVersion });
        if (shard && (await takeOfferedShard(own.db, shard, randomUUID()))) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      isTaken = true;
    };
    const [outcome] = await Promise.all([buildWith(siteId, worker, []), silent()]);
    expect(outcome).toEqual({ result: 'succeeded' });
    expect(worker.shards).toBe(shardCount);
  }, 120_000);

  test('fails with the fault that another worker found', async () => {
    const template = `{% if site.locale == 'en' %}{{ include('absent.twig') }}{% endif %}`;
    const siteId = await insertBareSite(own.db, objects, { locales, templates: { '404.twig': template } });
    const job = await askPublish(own.db, siteId);
    const hasFault = async () => (await selectRows(siteId)).some(({ state }) => state === 'fault');
    const outcome = await buildWith(siteId, createWaitingWorker(hasFault), [createWorker()]);
    expect(outcome).toEqual({ result: 'failed' });
    expect((await readJob(own.db, job)).error).toContain('The page /404.html could not be rendered.');
    expect(await selectRows(siteId)).toEqual([]);
  }, 120_000);

  /** Expects that only shards that are done are left, and that the next build uses them, also after a collection. */
  async function expectReuse(siteId: string, job: string): Promise<void> {
    const left = await selectRows(siteId);
    expect(left.length).toBeGreaterThanOrEqual(2);
    expect(new Set(left.map(({ state }) => state))).toEqual(new Set(['done']));
    const options = { graceMs: 0, retention: { newest: 50, days: 7 } };
    for (let n = 0; n < 2; n++) await collectGarbage({ db: own.db, objects }, options);
    const next = createWorker();
    expect(await buildWith(siteId, next, [])).toEqual({ result: 'succeeded' });
    expect((await readJob(own.db, job)).status).toBe('succeeded');
    expect(next.releases[0]!.reused).toBe(left.length * shardPages);
    expect(await selectRows(siteId)).toEqual([]);
  }

  test('that is cancelled withdraws its open shards, and the next build has the pages of the others', async () => {
    const siteId = await insertBareSite(own.db, objects, { locales });
    const job = await askPublish(own.db, siteId);
    const helper = createWorker();
    const ended = new AbortController();
    const worker = createWaitingWorker(() => ended.signal.aborted);
    const running = worker.builder.build(live(siteId), call(ended.signal));
    const helping = keepHelping(helper, ended.signal);
    await until(() => helper.shards >= 2);
    ended.abort();
    expect(await running).toEqual({ result: 'cancelled' });
    await helping;
    for (const { builder } of [helper, worker]) await builder.close();
    await expectReuse(siteId, job);
  }, 120_000);

  test('that runs out of time does the same', async () => {
    const siteId = await insertBareSite(own.db, objects, { locales });
    const job = await askPublish(own.db, siteId);
    const helper = createWorker();
    const buildTimeLimitMs = 6000;
    const endsAt = performance.now() + buildTimeLimitMs + 500;
    const worker = createWaitingWorker(() => helper.shards >= 2 && performance.now() > endsAt, { buildTimeLimitMs });
    expect(await buildWith(siteId, worker, [helper])).toEqual({ result: 'lost' });
    await expectReuse(siteId, job);
  }, 120_000);

  test('of one worker is not offered to others', async () => {
    const siteId = await insertBareSite(own.db, objects, { locales });
    await askPublish(own.db, siteId);
    const worker = createWorker(
      {
        async before(sql) {
          if (takesOwn(sql)) for (const row of await selectRows(siteId)) expect(row.inputs_hash).toBeNull();
        },
      },
      { actors: { engine: 'embedded', socket: '' } as never },
    );
    expect(await buildWith(siteId, worker, [])).toEqual({ result: 'succeeded' });
    expect(worker.shards).toBe(shardCount);
  }, 120_000);
});

describe('shards', () => {
  const version = 'test';

  /** Inserts shards of a build of a new site, and offers them. */
  async function offer(shards: number) {
    const siteId = await insertBareSite(own.db, objects);
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
