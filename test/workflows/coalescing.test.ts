import { afterAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish } from '../harness/api.ts';
import {
  askPublish,
  createItem,
  createPosts,
  reachStage,
  slowTemplate,
  succeed,
  visit,
  writeShell,
} from './helpers.ts';

afterAll(closeStack);

test('publishes asked for during a build are all served by the next one, each with its own job', async () => {
  const site = await makeSite();
  await createPosts(site, 10);
  await writeShell(site, 'post.twig', slowTemplate('{{ page.title }}'));
  const first = await askPublish(site);
  await reachStage(site, first, 'render');
  await createItem(site, { title: 'Late', type: 'page' });
  const later = await Promise.all(Array.from({ length: 5 }, () => askPublish(site)));
  expect(new Set([first, ...later]).size).toBe(6);
  const ended = await Promise.all([first, ...later].map((job) => succeed(site, job)));
  const [firstRelease, ...laterReleases] = ended.map((job) => job.result.release);
  expect(new Set(laterReleases).size).toBe(1);
  expect(laterReleases[0]).not.toBe(firstRelease);
  expect((await visit(site, '/late/')).status).toBe(200);
});

test('publishes of different sites do not wait for each other', async () => {
  const sites = await Promise.all([makeSite(), makeSite(), makeSite()]);
  const jobs = await Promise.all(
    sites.map(async (site) => {
      await createItem(site, { title: 'Mine' });
      return publish(site);
    }),
  );
  expect(jobs.map((job) => job.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
});

test('writes and publishes from many clients at once end with everything live', async () => {
  const site = await makeSite();
  const titles = Array.from({ length: 12 }, (_, n) => `Item ${n}`);
  const jobs = await Promise.all(
    titles.map(async (title) => {
      await createItem(site, { title });
      return askPublish(site);
    }),
  );
  await Promise.all(jobs.map((job) => succeed(site, job)));
  for (const n of titles.keys()) expect((await visit(site, `/posts/item-${n}/`)).status).toBe(200);
});
