import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ObjectStore } from '../../../services/engines/objects/store.ts';
import { countFaults, judgeAttempts } from '../../../services/features/publishing/attempts.ts';
import { createBuilder } from '../../../services/features/publishing/builder.ts';
import { claimBuild } from '../../../services/features/publishing/claim.ts';
import { planSite } from '../../../services/features/publishing/plan.ts';
import type { BuildInput } from '../../../workflows/contracts/site-actor.ts';
import { askPublish, builderApp, insertBareSite, readJob } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';
import { makeInputs } from '../../unit/build/snapshot.ts';

const own = provideOwnDatabase();
const live = (siteId: string, alone = false): BuildInput => ({
  siteId,
  target: 'live',
  ...(alone ? { alone: true } : {}),
});
const call = () => ({ signal: new AbortController().signal, attempt: 1 });
const plan = (siteId: string) => planSite({ db: own.db, config: { rebuildQuietMs: 0, rebuildMaxMs: 0 } }, siteId);

/** Starts a build and never ends it, as if its worker had died. */
async function crash(siteId: string): Promise<void> {
  const worker = randomUUID();
  const owner = { worker, isOnlyWorker: true, timeLimitMs: 60_000 };
  await judgeAttempts(own.db, live(siteId), owner);
  const claimed = await claimBuild(
    own.db,
    live(siteId, true),
    () => worker,
    async () => makeInputs(),
  );
  expect(claimed.kind).toBe('claimed');
}

async function withBuilder<T>(
  work: (builder: ReturnType<typeof createBuilder>) => Promise<T>,
  settings: Parameters<typeof builderApp>[2] = {},
): Promise<T> {
  const builder = createBuilder(builderApp(own.db, own.objects, settings));
  try {
    return await work(builder);
  } finally {
    await builder.close();
  }
}

describe('a build that ends its worker', () => {
  // rule: threat.21
  test('three times fails its job and says so; the next publish begins a new count', async () => {
    const siteId = await insertBareSite(own.db, own.objects);
    const job = await askPublish(own.db, siteId);
    for (let n = 0; n < 3; n++) await crash(siteId);
    const later = await askPublish(own.db, siteId);
    await withBuilder(async (builder) => {
      expect(await builder.build(live(siteId, true), call())).toEqual({ result: 'failed' });
      const { status, error } = await readJob(own.db, job);
      expect([status, error]).toEqual([
        'failed',
        expect.stringContaining('ended its worker (or ran out of time) 3 times'),
      ]);
      // it was requested after the last of those builds had started
      expect((await readJob(own.db, later)).status).toBe('queued');
      expect(await plan(siteId)).toEqual({ do: 'build', target: 'live' });
      expect(await builder.build(live(siteId), call())).toEqual({ result: 'succeeded' });
    });
    expect((await readJob(own.db, later)).status).toBe('succeeded');
  });

  // rule: threat.21
  test('runs apart from others of which that is known, and not before', async () => {
    const siteId = await insertBareSite(own.db, own.objects);
    const job = await askPublish(own.db, siteId);
    await crash(siteId);
    await withBuilder(async (builder) => {
      expect(await builder.build(live(siteId), call())).toEqual({ result: 'lost' });
      expect(await plan(siteId)).toEqual({ do: 'build', target: 'live', alone: true });
      expect(await builder.build(live(siteId, true), call())).toEqual({ result: 'succeeded' });
    });
    expect((await readJob(own.db, job)).status).toBe('succeeded');
    expect(await countFaults(own.db, live(siteId))).toEqual({ crashes: 0, timeouts: 0 });
  });

  // rule: threat.21
  test('is not counted when its worker was told to stop', async () => {
    const siteId = await insertBareSite(own.db, own.objects);
    await askPublish(own.db, siteId);
    const worker = createBuilder(builderApp(own.db, own.objects));
    const stopped = new AbortController();
    const running = worker.build(live(siteId), { signal: stopped.signal, attempt: 1 });
    await worker.stopping();
    stopped.abort();
    await running;
    await worker.close();
    await withBuilder((builder) => builder.build(live(siteId), call()));
    expect(await countFaults(own.db, live(siteId))).toEqual({ crashes: 0, timeouts: 0 });
  });

  test('is not counted while its worker lives elsewhere, only when that one falls silent', async () => {
    const siteId = await insertBareSite(own.db, own.objects);
    await askPublish(own.db, siteId);
    await crash(siteId);
    const judge = { worker: randomUUID(), isOnlyWorker: false, timeLimitMs: 60_000 };
    const beat = setInterval(
      () => void own.db.query('UPDATE build_attempts SET seen_at = now() WHERE site_id = $1', [siteId]),
      50,
    );
    await judgeAttempts(own.db, live(siteId), judge, { watchMs: 5000 });
    clearInterval(beat);
    expect((await countFaults(own.db, live(siteId))).crashes).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await judgeAttempts(own.db, live(siteId), judge, { watchMs: 300 });
    expect((await countFaults(own.db, live(siteId))).crashes).toBe(1);
  });

  test('is not counted when an engine failed it', async () => {
    const siteId = await insertBareSite(own.db, own.objects);
    const job = await askPublish(own.db, siteId);
    const away = { ...own.objects, getBytes: () => Promise.reject(new Error('the store is away')) };
    const builder = createBuilder(builderApp(own.db, away));
    await expect(builder.build(live(siteId), call())).rejects.toThrow('away');
    await builder.close();
    await withBuilder((other) => other.build(live(siteId), call()));
    expect((await readJob(own.db, job)).status).toBe('succeeded');
  });
});

// rule: threat.21
test('a build that runs out of time keeps its finished pages for the next one', async () => {
  const locales = ['en', ...Array.from({ length: 9 }, (_, n) => `x${String.fromCharCode(97 + n)}`)];
  // The last locale's 404 page uses a template that is too large to be sent in advance and arrives after the time
  // limit.
  const late = `{# ${'x'.repeat(1_100_000)} #}late`;
  const templates = {
    '404.twig': `missing{% if site.locale == '${locales.at(-1)}' %}{{ include('zz.twig') }}{% endif %}`,
    'zz.twig': late,
  };
  const siteId = await insertBareSite(own.db, own.objects, { locales, templates });
  const lateHash = createHash('sha256').update(late).digest('hex');
  const limitMs = 5000;
  const slowStore: ObjectStore = {
    ...own.objects,
    async getBytes(hash) {
      if (hash === lateHash) await new Promise((resolve) => setTimeout(resolve, limitMs + 500));
      return own.objects.getBytes(hash);
    },
  };
  const job = await askPublish(own.db, siteId);
  const hasty = createBuilder(builderApp(own.db, slowStore, { buildTimeLimitMs: limitMs }));
  expect(await hasty.build(live(siteId), call())).toEqual({ result: 'lost' });
  await hasty.close();
  expect(await countFaults(own.db, live(siteId))).toEqual({ crashes: 0, timeouts: 1 });
  expect((await readJob(own.db, job)).status).toBe('running');
  const made: { rendered?: number; reused?: number }[] = [];
  const app = builderApp(own.db, own.objects);
  Object.assign(app.log, { info: (about: object) => made.push(about) });
  const builder = createBuilder(app);
  expect(await builder.build(live(siteId), call())).toEqual({ result: 'succeeded' });
  await builder.close();
  expect(made).toEqual([expect.objectContaining({ reused: expect.any(Number), rendered: expect.any(Number) })]);
  expect(made[0]!.reused).toBeGreaterThan(0);
  expect(made[0]!.reused! + made[0]!.rendered!).toBe(4 * locales.length);
}, 120_000);

test('a build that runs out of time three times fails its job', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const job = await askPublish(own.db, siteId);
  await withBuilder(
    async (hasty) => {
      for (let n = 0; n < 3; n++) expect(await hasty.build(live(siteId), call())).toEqual({ result: 'lost' });
      expect(await hasty.build(live(siteId), call())).toEqual({ result: 'failed' });
    },
    { buildTimeLimitMs: 0 },
  );
  expect((await readJob(own.db, job)).error).toContain('ran out of time');
});
