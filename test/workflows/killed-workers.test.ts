import { afterAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, readMetrics, stack, stackDatabase } from '../harness/api.ts';
import '../harness/retry.ts';
import {
  askPublish,
  createItem,
  createPosts,
  reachStage,
  slowTemplate,
  succeed,
  visit,
  workerPids,
  writeShell,
} from './helpers.ts';

afterAll(closeStack);

const killWorkers = () => {
  const pids = workerPids();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids.length;
};

test('a publish that was accepted ends well although every worker is killed in the middle of its build', async () => {
  const site = await makeSite();
  await createPosts(site, 15);
  await writeShell(site, 'post.twig', slowTemplate('{{ page.title }}'));
  const job = await askPublish(site);
  await reachStage(site, job, 'render');
  expect(killWorkers()).toBeGreaterThan(0);
  const during = await askPublish(site);
  await Promise.all([succeed(site, job), succeed(site, during)]);
  expect((await visit(site, '/posts/filler-14/')).status).toBe(200);
}, 120_000);

/** Returns the number of pages that builds of the present workers took from earlier ones. */
async function countReused(): Promise<number> {
  const workers = Object.entries(stack.ops).filter(([name]) => name.startsWith('worker'));
  const line = /^fieldstone_build_pages_total\{source="reused"\} (\d+)$/m;
  const counts = workers.map(async ([, ops]) => Number(line.exec(await readMetrics(ops))?.[1] ?? 0));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count);
}

test('a large build whose workers are all killed loses only the shards that were being rendered', async () => {
  const site = await makeSite();
  await createPosts(site, 60);
  await writeShell(site, 'post.twig', slowTemplate('{{ page.title }}'));
  const job = await askPublish(site);
  const shardsDone = () =>
    stackDatabase().query<{ number: number }>(
      `SELECT count(*) AS number FROM build_shards d JOIN sites s ON s.id = d.site_id WHERE s.slug = $1 AND d.target = 'live' AND d.state = 'done'`,
      [site.slug],
    );
  await eventually('two shards are rendered', async () => (await shardsDone())[0]!.number >= 2);
  expect(killWorkers()).toBeGreaterThan(0);
  await succeed(site, job);
  // by workers that were started since, which have built nothing else
  expect(await countReused()).toBeGreaterThanOrEqual(20);
  expect((await visit(site, '/posts/filler-59/')).status).toBe(200);
  expect((await shardsDone())[0]!.number).toBe(0);
}, 240_000);

// rule: state.3
test('an item that falls due while every worker is down goes live once', async () => {
  const site = await makeSite();
  const scheduledAt = `${new Date(Date.now() + 1500).toISOString().slice(0, 19)}Z`;
  await createItem(site, { title: 'Due meanwhile', status: 'scheduled', scheduled_at: scheduledAt });
  expect(killWorkers()).toBeGreaterThan(0);
  await eventually(
    'it is live',
    async () => (await visit(site, '/posts/due-meanwhile/').catch(() => null))?.status === 200,
  );
  const { data: jobs } = await site.request('GET', '/jobs');
  expect(jobs.map((job: { kind: string }) => job.kind)).toEqual(['scheduled']);
}, 120_000);
