import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import {
  createThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
  type ThreadWork,
} from '../../../services/engines/threads/thread-pool.ts';

const fixture = (name: string, timeoutMs = 60_000): ThreadWork => ({
  name,
  entry: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
  timeoutMs,
});
const work = fixture('fixture-thread');
let pool: ThreadPool;
afterEach(() => pool.stop());

function open(options: Partial<ThreadPoolOptions> = {}): void {
  pool = createThreadPool({ memoryMb: 64, maxThreads: 1, maxWaiting: 50, ...options });
}

test('work is done in a thread, and its answer and its errors come back', async () => {
  open();
  await expect(pool.run(work, 'k', { answer: { a: [1] } })).resolves.toEqual({ a: [1] });
  await expect(pool.run(work, 'k', { fail: 'no good' })).rejects.toThrow('no good');
  await expect(pool.run(work, 'k', { answer: 2 })).resolves.toBe(2);
});

// rule: threat.27
test("another key's work waits for what runs, not for all that one key has waiting", async () => {
  open();
  const ended: string[] = [];
  const many = Array.from({ length: 8 }, (_, n) =>
    pool.run(work, 'many', { busyMs: 50 }).then(() => ended.push(`many ${n}`)),
  );
  await Promise.all([...many, pool.run(work, 'few', {}).then(() => ended.push('few'))]);
  expect(ended.indexOf('few')).toBeLessThanOrEqual(2);
});

test('too much that waits is refused, with a time to come again; another key is let in', async () => {
  open({ maxWaiting: 2 });
  const running = [1, 2, 3].map((answer) => pool.run(work, 'many', { busyMs: 50, answer }));
  await expect(pool.run(work, 'many', {})).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  await expect(pool.run(work, 'few', { answer: 4 })).resolves.toBe(4);
  await expect(Promise.all(running)).resolves.toEqual([1, 2, 3]);
});

test('work that takes too much memory is ended, alone', async () => {
  open();
  await expect(pool.run(work, 'k', { fillMb: 500 })).rejects.toMatchObject({ reason: 'memory' });
  await expect(pool.run(work, 'k', { answer: 1 })).resolves.toBe(1);
});

test('work that takes too much time is ended, alone', async () => {
  open();
  await expect(pool.run({ ...work, timeoutMs: 10_000 }, 'k', { busyMs: 600_000 })).rejects.toMatchObject({
    reason: 'time',
  });
  await expect(pool.run(work, 'k', { answer: 1 })).resolves.toBe(1);
});

test('several kinds of work share the threads, and buffers are moved into them', async () => {
  open();
  const { buffer } = new Uint8Array([1, 2, 3]);
  await expect(pool.run(fixture('fixture-sum'), 'k', buffer, [buffer])).resolves.toBe(6);
  expect(buffer.byteLength).toBe(0);
  await expect(pool.run(work, 'k', { answer: 1 })).resolves.toBe(1);
});
