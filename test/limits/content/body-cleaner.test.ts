import { afterAll, expect, test } from '@jest/globals';
import { createThreadPool } from '../../../services/engines/threads/thread-pool.ts';
import { cleanBody } from '../../../services/features/content/body/clean.ts';
import { createBodyCleaner } from '../../../services/features/content/body/cleaner.ts';
import { measureLoopWork, measureWork } from '../../harness/loop-work.ts';

const threads = createThreadPool({ maxThreads: 1 });
const cleaner = createBodyCleaner(threads);
afterAll(() => threads.stop());

const fill = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));
const mebibyte = 1024 * 1024;

test('large bodies become what small ones become', async () => {
  const given = ['<p onclick=x>A</p>', fill('<b>é</b><script>x</script> \ud800', 40_000), ''];
  await expect(cleaner.clean('k', given)).resolves.toEqual(given.map(cleanBody));
  await expect(cleaner.clean('k', given.slice(0, 1))).resolves.toEqual([cleanBody(given[0]!)]);
});

test('a body that is too large for a row comes as bytes, the same as of its text', async () => {
  const given = fill('<p>é“</p>', 400_000);
  const { html, ...rest } = cleanBody(given);
  await expect(cleaner.clean('k', [given])).resolves.toEqual([{ html: Buffer.from(html), ...rest }]);
});

// rule: threat.27
test('the event loop goes on while bodies of 4 MiB are cleaned', async () => {
  await cleaner.clean('k', [fill('<b>', 20_000)]); // starts the thread
  const bodies = ['&', '<b>x</b>'].map((piece) => fill(piece, 4 * mebibyte));
  const workMs = Math.min(...bodies.map((body) => measureWork(() => cleanBody(body))));
  const busyMs = await measureLoopWork(() => Promise.all(bodies.map((body, n) => cleaner.clean(`${n}`, [body]))));
  expect(busyMs).toBeLessThan(workMs / 4);
}, 120_000);

// rule: threat.27
test('many small bodies at once go to a thread as one large body does', async () => {
  const given = Array.from({ length: 100 }, () => fill('<b>x</b>', 10_000));
  const workMs = measureWork(() => given.map(cleanBody));
  const busyMs = await measureLoopWork(async () => expect(await cleaner.clean('k', given)).toHaveLength(100));
  expect(busyMs).toBeLessThan(workMs / 4);
}, 120_000);

// rule: threat.27
test('a body that takes too much memory is refused, and named', async () => {
  const few = createThreadPool({ maxThreads: 1, memoryMb: 24 });
  const poor = createBodyCleaner(few);
  try {
    await expect(poor.clean('k', [fill('<b title="&">&</b>', 3 * mebibyte)])).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'body_html' }],
    });
    await expect(poor.clean('k', [fill('x', 20_000)])).resolves.toHaveLength(1);
  } finally {
    await few.stop();
  }
});
