import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';
import { picture, upload, waitForFormat, waitUntilProcessed } from '../harness/media.ts';
import '../harness/retry.ts';
import { workerPids } from './helpers.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

function killWorkers(): void {
  const pids = workerPids();
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** Returns noise, which takes the encoders long enough to be interrupted. */
const heavy = () =>
  picture(3000, 2200)
    .composite([
      {
        input: {
          create: {
            width: 3000,
            height: 2200,
            channels: 3,
            background: 'gray',
            noise: { type: 'gaussian', mean: 128, sigma: 60 },
          },
        },
        blend: 'overlay',
      },
    ])
    .jpeg()
    .toBuffer();

test('an image uploaded just before every worker is killed gets its variants all the same, each once', async () => {
  const { data } = await upload(site, await heavy());
  expect(data.status).toBe('processing');
  killWorkers();
  const done = await waitForFormat(site, data.id, 'avif', 150_000);
  const names = done.variants.map(({ format, width }: { format: string; width: number }) => `${format}-${width}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('webp-2560');
}, 180_000);

test('an image whose slow formats are interrupted stays usable and gets them later', async () => {
  const { data } = await upload(site, await heavy());
  const usable = await waitUntilProcessed(site, data.id);
  expect(usable.status).toBe('ready');
  killWorkers();
  expect((await site.request('GET', `/media/${data.id}`)).data.status).toBe('ready');
  expect((await waitForFormat(site, data.id, 'avif', 150_000)).status).toBe('ready');
}, 180_000);

test('an item purged while it is processed is gone, and comes back in no list', async () => {
  const { data } = await upload(site, await heavy());
  await site.request('DELETE', `/media/${data.id}`);
  expect((await site.request('DELETE', `/media/${data.id}/purge`)).status).toBe(200);
  const other = await upload(site, await picture(30, 30).png().toBuffer());
  await eventually('the next item is ready', async () => {
    const { data: next } = await site.request('GET', `/media/${other.data.id}`);
    return next.status === 'ready';
  });
  expect((await site.request('GET', `/media/${data.id}`)).status).toBe(404);
  expect((await site.request('GET', '/media/trash')).data).toEqual([]);
}, 180_000);
