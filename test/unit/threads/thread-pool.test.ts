import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import {
  createThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
} from '../../../services/engines/threads/thread-pool.ts';

const entry = fileURLToPath(new URL('./fixture-thread.ts', import.meta.url));
let pool: ThreadPool;
afterEach(() => pool.stop());

function open(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  pool = createThreadPool({ entry, memoryMb: 64, timeoutMs: 60_000, maxThreads: 1, maxWaiting: 50, ...options });
  return pool;
}

test('work is done in a thread, and its answer and its errors come back', async () => {
  open();
  await expect(pool.run('k', { answer: { a: [1] } })).resolves.toEqual({ a: [1] });
  await expect(pool.run('k', { fail: 'no good' })).rejects.toThrow('no good');
  await expect(pool.run('k', { answer: 2 })).resolves.toBe(2);
});

test("another key's work waits for what runs, not for all that one key has waiting", async () => {
  open();
  const ended: string[] = [];
  const many = Array.from({ length: 8 }, (_, n) =>
    pool.run('many', { busyMs: 50 }).then(() => ended.push(`many ${n}`)),
  );
  await Promise.all([...many, pool.run('few', {}).then(() => ended.push('few'))]);
  expect(ended.indexOf('few')).toBeLessThanOrEqual(2);
});

test('too much that waits is refused, with a time to come again; another key is let in', async () => {
  open({ maxWaiting: 2 });
  const running = [1, 2, 3].map((answer) => pool.run('many', { busyMs: 50, answer }));
  await expect(pool.run('many', {})).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  await expect(pool.run('few', { answer: 4 })).resolves.toBe(4);
  await expect(Promise.all(running)).resolves.toEqual([1, 2, 3]);
});

test('work that takes too much memory is ended, alone', async () => {
  open();
  await expect(pool.run('k', { fillMb: 500 })).rejects.toMatchObject({ reason: 'memory' });
  await expect(pool.run('k', { answer: 1 })).resolves.toBe(1);
});

test('work that takes too much time is ended, alone', async () => {
  open({ timeoutMs: 10_000 });
  await expect(pool.run('k', { busyMs: 600_000 })).rejects.toMatchObject({ reason: 'time' });
  await expect(pool.run('k', { answer: 1 })).resolves.toBe(1);
});
