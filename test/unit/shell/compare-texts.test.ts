import { afterAll, expect, test } from '@jest/globals';
import { createThreadPool, type ThreadPool } from '../../../services/engines/threads/thread-pool.ts';
import { createComparer } from '../../../services/features/shell/diff/comparer.ts';
import { compareTexts } from '../../../services/features/shell/diff/text.ts';
import { measureLoopWork, measureWork } from '../../harness/loop-work.ts';

const pool = createThreadPool({ maxThreads: 1 });
const threaded: string[] = [];
const watched: Pick<ThreadPool, 'run'> = {
  run(work, key, input) {
    threaded.push(`${key} ${work.name}`);
    return pool.run(work, key, input);
  },
};
const compare = createComparer(watched, 'k');
afterAll(() => pool.stop());

const lines = (step: number, count: number) =>
  Array.from({ length: count }, (_, n) => `.a${(n * step) % 997} { color: red }`).join('\n');
/** Every line differs: the slowest comparison. */
const different = { path: 'a.css', before: lines(7, 4_900), after: lines(13, 4_900) };
const alike = { path: 'a.css', before: lines(7, 4_900), after: `${lines(7, 4_900)}\nb{}` };

test('long texts are compared in a thread and short ones are not, with the same outcome', async () => {
  const short = { path: 'a.css', before: 'a{}\n', after: 'b{}\n' };
  expect(await compare(short)).toBe(compareTexts(short));
  expect(threaded).toEqual([]);
  expect(await compare(alike)).toBe(compareTexts(alike));
  expect(await compare(different)).toBeUndefined();
  expect(threaded).toEqual(['k diff', 'k diff']);
});

// rule: threat.27
test('the event loop goes on while long texts are compared', async () => {
  await compare(different); // starts the thread
  const workMs = measureWork(() => compareTexts(different));
  const busyMs = await measureLoopWork(() => compare(different));
  expect(busyMs).toBeLessThan(workMs / 3);
}, 60_000);
