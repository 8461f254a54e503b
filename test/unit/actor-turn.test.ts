import { expect, test } from '@jest/globals';
import { planAfter, runTurn, type TurnOptions } from '../../services/features/actor-turn.ts';

const signal = new AbortController().signal;
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs a turn that claims from a list, and returns its outcome. */
function turnOver(queue: (() => Promise<void>)[], options: Partial<TurnOptions> = {}) {
  const seen = { running: 0, most: 0, released: 0 };
  const run = runTurn({
    atOnce: 4,
    signal,
    async claim(room, turn) {
      for (const work of queue.splice(0, room)) {
        seen.most = Math.max(seen.most, ++seen.running);
        turn.track(work().finally(() => seen.running--));
      }
    },
    async release() {
      seen.released++;
    },
    ...options,
  });
  return { seen, run };
}

test('all that is due is worked through, so many at once', async () => {
  const { seen, run } = turnOver(Array.from({ length: 11 }, () => tick));
  await run;
  expect(seen).toEqual({ running: 0, most: 4, released: 0 });
});

test('an error of a piece of work ends the turn once the others have ended, and what is held is given back', async () => {
  const broken = () => Promise.reject(new Error('away'));
  const slow = async () => {
    for (let n = 0; n < 20; n++) await tick();
  };
  const left = [broken, slow, slow, slow, slow];
  const { seen, run } = turnOver(left);
  await expect(run).rejects.toThrow('away');
  expect({ ...seen, left: left.length }).toEqual({ running: 0, most: 4, released: 1, left: 1 });
});

test('so does an error while more is claimed: nothing goes on behind a turn that has ended', async () => {
  let claims = 0;
  let running = 0;
  const slow = async () => {
    running++;
    for (let n = 0; n < 20; n++) await tick();
    running--;
  };
  const run = runTurn({
    atOnce: 4,
    signal,
    async claim(_room, turn) {
      if (++claims > 1) throw new Error('the database is away');
      turn.track(slow());
      turn.track(tick());
    },
    async release() {
      expect(running).toBe(0);
    },
  });
  await expect(run).rejects.toThrow('the database is away');
  expect({ claims, running }).toEqual({ claims: 2, running: 0 });
});

test('a turn that is told to end claims nothing', async () => {
  const left = [tick];
  await turnOver(left, { signal: AbortSignal.abort() }).run;
  expect(left).toHaveLength(1);
});

test.each([
  [null, { do: 'idle' }],
  [-3, { do: 'continue' }],
  [0, { do: 'continue' }],
  [1.2, { do: 'sleep', ms: 2 }],
])('what is due in %p ms: %p', (dueMs, plan) => {
  expect(planAfter(dueMs)).toEqual(plan);
});
