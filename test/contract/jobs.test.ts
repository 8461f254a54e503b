import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeStack,
  eventually,
  makeKey,
  makeSite,
  publish,
  request,
  stack,
  stackDatabase,
  type TestSite,
  waitForJob,
} from '../harness/api.ts';
import { startRole } from '../harness/role.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

/** A job of a site that nobody wakes: it stays queued. */
async function insertQueuedJob(): Promise<{ id: string; key: string }> {
  const { key, slug } = await makeSite();
  const [row] = await stackDatabase().query<{ id: string }>(
    `INSERT INTO jobs (site_id, kind, status, created_at)
     SELECT id, 'publish', 'queued', now() + INTERVAL '1 day' FROM sites WHERE slug = $1 RETURNING id`,
    [slug],
  );
  return { id: row!.id, key };
}

// rule: resource.9, state.9, endpoint.33, status.200, break.28
test('publishing answers 202 with a job, which ends with a live release', async () => {
  await site.request('POST', '/content', { title: 'Live', status: 'published' });
  const asked = await site.request('POST', '/publish');
  expect([asked.status, asked.data]).toEqual([202, { job: uuid }]);
  const first = await request('GET', `/jobs/${asked.data.job}`, { key: site.key });
  expect(first.data).toMatchObject({ uuid: asked.data.job, site: site.slug, kind: 'publish', created_at: timestamp });
  const job = await waitForJob(site.key, asked.data.job);
  expect(job).toEqual({
    uuid: asked.data.job,
    site: site.slug,
    kind: 'publish',
    status: 'succeeded',
    progress: { stage: expect.any(String), done: expect.any(Number), total: expect.any(Number) },
    created_at: timestamp,
    started_at: timestamp,
    finished_at: timestamp,
    error: null,
    result: {
      release: uuid,
      pages: expect.any(Number),
      rendered: expect.any(Number),
      reused: 0,
      reasons: { new: expect.any(Number) },
      changed: expect.any(Number),
      bytes: expect.any(Number),
      url: expect.any(String),
    },
  });
  const { data } = await site.request('GET', '');
  expect(data.live_release).toBe(job.result.release);
  expect(job.result.url).toBe(data.url);
});

// rule: endpoint.32
test('publish ignores the content type and takes an empty body or {}', async () => {
  for (const options of [{}, { raw: '' }, { raw: '{}' }, { raw: '{}', headers: { 'Content-Type': 'text/plain' } }]) {
    expect((await site.request('POST', '/publish', undefined, options)).status).toBe(202);
  }
  expect((await site.request('POST', '/publish', { now: true })).error.details[0].path).toBe('now');
  expect((await site.request('POST', '/publish', undefined, { raw: '[]' })).status).toBe(422);
});

test('many at once keep their own jobs, and all of them end', async () => {
  const asked = await Promise.all(Array.from({ length: 10 }, () => site.request('POST', '/publish')));
  const jobs = asked.map(({ data }) => data.job);
  expect(new Set(jobs).size).toBe(10);
  const ended = await Promise.all(jobs.map((job) => waitForJob(site.key, job)));
  expect(ended.map(({ status }) => status)).toEqual(Array(10).fill('succeeded'));
});

describe('a shell write', () => {
  test('builds a preview and leaves the live site alone', async () => {
    await publish(site);
    const before = (await site.request('GET', '')).data.live_release;
    const { data } = await site.request('PUT', '/shell/file/style.css', undefined, { raw: `/* ${randomUUID()} */` });
    const job = await waitForJob(site.key, data.job);
    expect([job.status, job.kind]).toEqual(['succeeded', 'rebuild']);
    expect((await site.request('GET', '')).data.live_release).toBe(before);
    expect((await fetch(job.result.url)).status).toBe(200);
  });

  test('with a fault fails its job with template, line and cause, and the next one heals it', async () => {
    const live = (await site.request('GET', '')).data.live_release;
    await site.request('PUT', '/shell/file/home.twig', undefined, { raw: '<p>\n\n{{ nothing_like_it() }}' });
    const { data } = await site.request('POST', '/publish');
    const job = await waitForJob(site.key, data.job);
    expect([job.status, job.result]).toEqual(['failed', null]);
    expect(job.error.message).toMatch(/home\.twig.*line 3/s);
    expect(job.error.message).toContain('nothing_like_it');
    expect((await site.request('GET', '')).data.live_release).toBe(live);
    await site.request('PUT', '/shell/file/home.twig', undefined, { raw: "{% extends 'base.twig' %}" });
    expect((await publish(site)).status).toBe('succeeded');
  });
});

test('jobs are listed newest first, of the one site', async () => {
  const other = await makeSite();
  const jobs: string[] = [];
  for (let i = 0; i < 3; i++) jobs.push((await other.request('POST', '/publish')).data.job);
  const { json } = await other.request('GET', '/jobs');
  expect(json.data.map((job: { uuid: string }) => job.uuid)).toEqual(jobs.reverse());
  expect(json.pagination.total).toBe(3);
});

// rule: resource.9
test.each(['nonsense', '1', '%00', '%ff', '00000000-0000-4000-8000-000000000000'])('the job %s is 404', async (id) => {
  const reply = await request('GET', `/jobs/${id}`, { key: site.key });
  expect([reply.status, reply.error?.code]).toEqual([404, 'not_found']);
});

// rule: state.3, break.24
test('a due item is published by itself, and its site with it', async () => {
  const fresh = await makeSite();
  const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000);
  const scheduled_at = `${soon.toISOString().slice(0, 19)}Z`;
  const later = await fresh.request('POST', '/content', { title: 'Soon', status: 'scheduled', scheduled_at });
  const past = await fresh.request('POST', '/content', {
    title: 'Past',
    status: 'scheduled',
    scheduled_at: '2020-01-01T00:00:00Z',
  });
  expect([later.data.status, past.data.status]).toEqual(['scheduled', 'scheduled']);
  for (const { data } of [later, past]) {
    const item = await eventually('the item is published', async () => {
      const reply = await fresh.request('GET', `/content/${data.id}`);
      return reply.data.status === 'published' ? reply.data : undefined;
    });
    expect(item.published_at).toBe(data.scheduled_at);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(item.published_at));
  }
  await eventually('both are live', async () => {
    const { data } = await fresh.request('GET', '/jobs');
    const kinds = data.filter(
      (job: { status: string; kind: string }) => job.status === 'succeeded' && job.kind === 'scheduled',
    );
    if (kinds.length === 0) return false;
    const pages = await Promise.all([later, past].map(({ data }) => fetch(data.url)));
    return pages.every(({ status }) => status === 200);
  });
});

describe('wait', () => {
  const read = (uuid: string, wait: string) => request('GET', `/jobs/${uuid}?wait=${wait}`, { key: site.key });

  // rule: beyond.23
  test('returns the job once it has ended', async () => {
    const { data } = await site.request('POST', '/publish');
    const reply = await read(data.job, '60');
    expect([reply.status, reply.data.status]).toEqual([200, 'succeeded']);
    const again = await read(data.job, '60');
    expect(again.data).toEqual(reply.data);
  });

  // rule: beyond.23
  test('returns the job in its state when the time is over, and leaves out what fields do not name', async () => {
    const { id, key } = await insertQueuedJob();
    const reply = await request('GET', `/jobs/${id}?wait=1&fields=status`, { key });
    expect(reply.data).toEqual({ uuid: id, status: 'queued' });
  });

  // rule: beyond.23
  test.each(['61', '-1', '1.5', 'x', '', '1e1', '0x1', ' 1'])('the time %p is 422', async (wait) => {
    const reply = await read(randomUUID(), encodeURIComponent(wait));
    expect([reply.status, reply.error?.details]).toEqual([
      422,
      [{ path: 'wait', message: 'must be a whole number from 0 to 60' }],
    ]);
  });

  test('for a job that is not there, or of a site outside the list of the key, is refused at once', async () => {
    expect((await read(randomUUID(), '60')).status).toBe(404);
    const { id } = await insertQueuedJob();
    const stranger = await makeKey(['jobs:read'], ['elsewhere']);
    const reply = await request('GET', `/jobs/${id}?wait=60`, { key: stranger });
    expect([reply.status, reply.error?.code]).toEqual([403, 'site_not_allowed']);
  });

  test('beyond thirty requests of a key returns at once; those who leave make room', async () => {
    const { id, key } = await insertQueuedJob();
    const leaving = new AbortController();
    const get = async (wait: number, signal: AbortSignal) => {
      const reply = await fetch(`${stack.gateways[0]}/api/v1/jobs/${id}?wait=${wait}`, {
        headers: { 'X-API-Key': key },
        signal,
      });
      return reply.json() as Promise<{ data: { status: string } }>;
    };
    const asked = Array.from({ length: 31 }, () => get(60, leaving.signal));
    expect((await Promise.race(asked)).data.status).toBe('queued');
    leaving.abort();
    await Promise.allSettled(asked);
    await eventually('a request waits its second again', async () => {
      const startMs = performance.now();
      await get(1, new AbortController().signal);
      return performance.now() - startMs > 900;
    });
  });
  // rule: beyond.23
  test('a gateway that stops releases those who wait', async () => {
    const { id, key } = await insertQueuedJob();
    const gateway = await startRole('gateway');
    const waiting = fetch(`${gateway.url}/api/v1/jobs/${id}?wait=60`, { headers: { 'X-API-Key': key } });
    await Promise.race([waiting, sleep(1000)]);
    await gateway.kill('SIGTERM');
    // the end of the drain would cut it off
    const reply = (await (await waiting).json()) as { data: { status: string } };
    expect(reply.data.status).toBe('queued');
  });
});
