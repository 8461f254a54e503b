import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { shardVersion } from '../../../services/build/index.ts';
import type { Db } from '../../../services/core/db.ts';
import type { Database } from '../../../services/engines/sql/database.ts';
import { collectGarbage } from '../../../services/features/collection/index.ts';
import { type Builder, createBuilder } from '../../../services/features/publishing/builder.ts';
import { selectOfferedShard, takeOfferedShard } from '../../../services/features/publishing/shards/sql.ts';
import { askPublish, builderApp, insertBareSite, readJob } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
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
  const app = builderApp(db, own.objects, { ...settings, ...changed });
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
    const siteId = await insertBareSite(own.db, own.objects, { locales });
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
    const siteId = await insertBareSite(own.db, own.objects, { locales });
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
    const siteId = await insertBareSite(own.db, own.objects, { locales, templates: { '404.twig': template } });
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
    for (let n = 0; n < 2; n++) await collectGarbage(own, options);
    const next = createWorker();
    expect(await buildWith(siteId, next, [])).toEqual({ result: 'succeeded' });
    expect((await readJob(own.db, job)).status).toBe('succeeded');
    expect(next.releases[0]!.reused).toBe(left.length * shardPages);
    expect(await selectRows(siteId)).toEqual([]);
  }

  test('that is cancelled withdraws its open shards, and the next build has the pages of the others', async () => {
    const siteId = await insertBareSite(own.db, own.objects, { locales });
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
    const siteId = await insertBareSite(own.db, own.objects, { locales });
    const job = await askPublish(own.db, siteId);
    const helper = createWorker();
    const buildTimeLimitMs = 6000;
    const endsAt = performance.now() + buildTimeLimitMs + 500;
    const worker = createWaitingWorker(() => helper.shards >= 2 && performance.now() > endsAt, { buildTimeLimitMs });
    expect(await buildWith(siteId, worker, [helper])).toEqual({ result: 'lost' });
    await expectReuse(siteId, job);
  }, 120_000);

  test('of one worker is not offered to others', async () => {
    const siteId = await insertBareSite(own.db, own.objects, { locales });
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
