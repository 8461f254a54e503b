import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stackDatabase } from '../harness/api.ts';
import { createItem, visit } from './helpers.ts';

afterAll(closeStack);

const inSeconds = (seconds: number) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;
const isLive = (site: Parameters<typeof visit>[0], path: string) =>
  eventually(`${path} is live`, async () => (await visit(site, path).catch(() => null))?.status === 200);

async function revisionsBy(id: string, changedBy: string): Promise<number> {
  const rows = await stackDatabase().query<{ n: number }>(
    'SELECT count(*) AS n FROM content_revisions WHERE content_id = $1 AND changed_by = $2',
    [id, changedBy],
  );
  return rows[0]!.n;
}

describe('a scheduled item', () => {
  // rule: state.3
  test('goes live by itself, once, with one job of its own', async () => {
    const site = await makeSite();
    const scheduledAt = inSeconds(2);
    const item = await createItem(site, { title: 'Later', status: 'scheduled', scheduled_at: scheduledAt });
    await isLive(site, '/posts/later/');
    const { data } = await site.request('GET', `/content/${item.id}`);
    expect(data).toMatchObject({ status: 'published', scheduled_at: scheduledAt, published_at: scheduledAt });
    await sleep(2500); // long enough for every sweeper to run again
    const { data: jobs } = await site.request('GET', '/jobs');
    expect(jobs.map((job: { kind: string; status: string }) => [job.kind, job.status])).toEqual([
      ['scheduled', 'succeeded'],
    ]);
    expect(await revisionsBy(item.id, 'scheduler')).toBe(1);
  });

  test('with a time in the past is due now', async () => {
    const site = await makeSite();
    await createItem(site, { title: 'Overdue', status: 'scheduled', scheduled_at: '2020-02-03T04:05:06Z' });
    await isLive(site, '/posts/overdue/');
  });

  test('that is moved, unscheduled or trashed before its time stays away', async () => {
    const site = await makeSite();
    const soon = inSeconds(2);
    const [moved, drafted, trashed] = await Promise.all(
      ['Moved', 'Drafted', 'Trashed'].map((title) =>
        createItem(site, { title, status: 'scheduled', scheduled_at: soon }),
      ),
    );
    await createItem(site, { title: 'Due', status: 'scheduled', scheduled_at: soon });
    await site.request('PATCH', `/content/${moved.id}`, { scheduled_at: '2099-01-01T00:00:00Z' });
    await site.request('PATCH', `/content/${drafted.id}`, { status: 'draft' });
    await site.request('DELETE', `/content/${trashed.id}`);
    await isLive(site, '/posts/due/');
    await publish(site);
    for (const slug of ['moved', 'drafted', 'trashed']) expect((await visit(site, `/posts/${slug}/`)).status).toBe(404);
    expect((await site.request('GET', `/content/${moved.id}`)).data.status).toBe('scheduled');
  });

  test('shares a build with the others that are due', async () => {
    const site = await makeSite();
    const at = inSeconds(10); // all are created before, also on a busy machine
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        createItem(site, { title: `Due ${n}`, status: 'scheduled', scheduled_at: at }),
      ),
    );
    for (let n = 0; n < 8; n++) await isLive(site, `/posts/due-${n}/`);
    const { data: jobs } = await site.request('GET', '/jobs');
    expect(jobs).toHaveLength(1);
  });
});
