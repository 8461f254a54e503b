import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { inParallel } from '../../../services/core/in-parallel.ts';

test('results have the order of the items, and no more than the limit run at the same time', async () => {
  let [running, most] = [0, 0];
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (turns) => {
    most = Math.max(most, ++running);
    for (let n = 0; n < turns; n++) await setImmediate();
    running--;
    return turns * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
  expect(await inParallel([], 2, async () => 1)).toEqual([]);
});

test('after an error nothing more is started, and it rejects when nothing runs any more', async () => {
  const started: number[] = [];
  let running = 0;
  const work = inParallel([1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    running++;
    for (let n = 0; n < item * 3; n++) await setImmediate();
    running--;
    if (item === 1) throw new Error('first');
    return item;
  });
  await expect(work).rejects.toThrow('first');
  expect({ started, running }).toEqual({ started: [1, 2], running: 0 });
});
