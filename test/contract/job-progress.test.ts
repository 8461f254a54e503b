import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, type TestSite, waitForJob } from '../harness/api.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

/** Waits until the newest job of a kind has ended, and returns it. */
const endedOf = (kind: string) =>
  eventually(`a ${kind} job ends`, async () => {
    const { data } = await site.request('GET', '/jobs');
    return data.find((job: { kind: string; finished_at: string | null }) => job.kind === kind && job.finished_at);
  });

const draft = { title: 'Due', status: 'scheduled', scheduled_at: '2020-01-01T00:00:00Z' };

test.each([
  ['publish', async () => publish(site)],
  [
    'rebuild',
    async () => {
      const { data } = await site.request('PUT', '/shell/file/style.css', undefined, { raw: 'p { color: teal }' });
      return waitForJob(site.key, data.job);
    },
  ],
  ['scheduled', async () => site.request('POST', '/content', draft)],
  [
    'webhook',
    async () => deliver(await makeIntegration(site, 'create_post'), { title: 'Delivered', body_html: '<p>x</p>' }),
  ],
])('a %s job that succeeded has done all of its pages', async (kind, run) => {
  await run();
  const job = await endedOf(kind);
  expect(job.status).toBe('succeeded');
  expect(job.result.pages).toBeGreaterThan(0);
  expect(job.progress).toEqual({ stage: 'done', done: job.result.pages, total: job.result.pages });
});

test('one that publishes nothing new has done them too', async () => {
  const job = await publish(site);
  const again = await publish(site);
  expect(again.result).toMatchObject({ pages: job.result.pages, changed: 0 });
  expect(again.progress).toEqual({ stage: 'done', done: job.result.pages, total: job.result.pages });
});

test('one that failed says so, and not that it had done all', async () => {
  await site.request('PUT', '/shell/file/home.twig', undefined, { raw: '{{ nothing_like_it() }}' });
  const { data } = await site.request('POST', '/publish');
  const { status, progress } = await waitForJob(site.key, data.job);
  expect([status, progress.stage]).toEqual(['failed', 'failed']);
  expect(progress.done === 0 || progress.done < progress.total).toBe(true);
});
