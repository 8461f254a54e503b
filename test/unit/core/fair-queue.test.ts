import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import { createFairQueue, type FairQueue, takeTurn } from '../../../services/core/fair-queue.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Enters work and records its name in `started` when its turn comes. */
function entering(queue: FairQueue, started: string[]) {
  return (key: string, name: string, weight = 1) => {
    const turn = queue.enter(key, weight);
    void turn.ready.then(() => started.push(name));
    return turn;
  };
}

test('work runs within the capacity, in the order in which it came', async () => {
  const started: string[] = [];
  const enter = entering(createFairQueue({ capacity: 2, maxWaiting: 9 }), started);
  const turns = ['a', 'b', 'c', 'd'].map((name) => enter('k', name));
  await settled();
  expect(started).toEqual(['a', 'b']);
  turns[1]!.end();
  turns[1]!.end();
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('another key waits for one of each key before it, not for all that wait', async () => {
  const started: string[] = [];
  const enter = entering(createFairQueue({ capacity: 1, maxWaiting: 100 }), started);
  const first = enter('many', 'm0');
  for (let n = 1; n < 50; n++) enter('many', `m${n}`);
  const other = enter('few', 'f');
  first.end();
  await settled();
  expect(started).toEqual(['m0', 'm1']);
  other.end(); // leaves before its turn
  enter('few', 'f2');
  expect(started).not.toContain('f');
});

test('keys take turns', async () => {
  const started: string[] = [];
  const enter = entering(createFairQueue({ capacity: 1, maxWaiting: 100 }), started);
  const turns = new Map<string, { end(): void }>();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.set(name, enter(name[0]!, name));
  for (let n = 0; n < 6; n++) {
    await settled();
    turns.get(started.at(-1)!)!.end();
  }
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('one key holds its share, the rest is for others; a single heavy piece of work always runs in the end', async () => {
  const started: string[] = [];
  const enter = entering(createFairQueue({ capacity: 8, share: 4, maxWaiting: 9 }), started);
  const [a] = [enter('a', 'a', 3), enter('a', 'a2', 2), enter('b', 'b', 3)];
  await settled();
  expect(started).toEqual(['a', 'b']);
  const heavy = enter('c', 'heavy', 20);
  enter('d', 'd', 1);
  await settled();
  expect(started).toEqual(['a', 'b']); // lighter work does not overtake the heavy one
  a!.end();
  await settled();
  expect(started).toEqual(['a', 'b', 'a2']);
  heavy.end();
  await settled();
  expect(started).toEqual(['a', 'b', 'a2', 'd']);
});

test('beyond the bound a key of which something waits is refused, and no other', () => {
  const queue = createFairQueue({ capacity: 1, maxWaiting: 2 });
  for (let n = 0; n < 3; n++) queue.enter('many', 1);
  expect(() => queue.enter('many', 1)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 5 }));
  queue.enter('few', 1);
  expect(queue.waiting()).toBe(3);
  expect(() => queue.enter('few', 1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

test('work that fails ends its turn, and what comes at that moment waits for those before it', async () => {
  const queue = createFairQueue({ capacity: 1, maxWaiting: 9 });
  const begun: string[] = [];
  const ends: PromiseWithResolvers<string>[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    ends.push(Promise.withResolvers<string>());
    return ends.at(-1)!.promise;
  };
  const first = takeTurn(queue, 'k', work('a'));
  const second = takeTurn(queue, 'k', work('b'));
  await settled();
  ends[0]!.reject(new Error('broken'));
  // runs when the first has ended and the second, whose turn it is, has not begun
  const third = Promise.resolve().then(() => takeTurn(queue, 'k', work('c')));
  await expect(first).rejects.toThrow('broken');
  await settled();
  expect(begun).toEqual(['a', 'b']);
  ends[1]!.resolve('second');
  await settled();
  ends[2]!.resolve('third');
  expect(await Promise.all([second, third])).toEqual(['second', 'third']);
});

test('work that is not wanted any more leaves the queue, and none of its key waits', async () => {
  const queue = createFairQueue({ capacity: 1, maxWaiting: 9 });
  const running = Promise.withResolvers<void>();
  const first = takeTurn(queue, 'a', () => running.promise);
  const cancel = new AbortController();
  const left = takeTurn(queue, 'b', async () => 'never', cancel.signal);
  expect([queue.waiting(), queue.waiting('a'), queue.waiting('b')]).toEqual([1, 0, 1]);
  cancel.abort(new Error('nobody waits'));
  await expect(left).rejects.toThrow('nobody waits');
  expect(queue.waiting('b')).toBe(0);
  await expect(takeTurn(queue, 'b', async () => 'never', cancel.signal)).rejects.toThrow('nobody waits');
  running.resolve();
  await first;
});

test('work runs in the asynchronous context of its caller, not of the work before it', async () => {
  const queue = createFairQueue({ capacity: 1, maxWaiting: 9 });
  const context = new AsyncLocalStorage<string>();
  const work = async () => {
    await settled();
    return context.getStore();
  };
  const results = ['one', 'two'].map((id) => context.run(id, () => takeTurn(queue, 'k', work)));
  expect(await Promise.all(results)).toEqual(['one', 'two']);
});
