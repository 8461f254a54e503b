import { afterEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import type { Db } from '../../../services/core/db.ts';
import type { JobEnds } from '../../../services/features/app.ts';
import { createJobEnds, type JobEndsOptions } from '../../../services/features/publishing/jobs/job-ends.ts';

const log = pino({ level: 'silent' });
const longMs = 600_000;
let ends: JobEnds;
afterEach(() => ends.stop());

/** Waiters over a database that knows these unended jobs, and a runtime whose notices the test gives. */
function start(unended: string[], options: Partial<JobEndsOptions> = {}, hasNotices = true) {
  const statements: string[][] = [];
  const listeners = new Set<() => void>();
  let isAway = false;
  const query = async (_sql: string, params: unknown[]) => {
    const ids = params[0] as string[];
    statements.push(ids);
    if (isAway) throw new Error('no connection');
    return ids.filter((id) => unended.includes(id)).map((id) => ({ id }));
  };
  const hearJobsEnded = (listener: () => void, signal: AbortSignal) => {
    listeners.add(listener);
    signal.addEventListener('abort', () => listeners.delete(listener));
  };
  ends = createJobEnds(
    { db: { query } as unknown as Db, actors: hasNotices ? { hearJobsEnded } : {}, log },
    { toldCheckMs: longMs, untoldCheckMs: longMs, ...options },
  );
  return {
    statements,
    listeners,
    setAway: (away: boolean) => (isAway = away),
    notify: () => {
      for (const listener of listeners) listener();
    },
    end: (id: string) => unended.splice(unended.indexOf(id), 1),
  };
}

const wait = (job: string, { owner = 'key', timeoutMs = longMs, signal = new AbortController().signal } = {}) =>
  ends.wait(job, { owner, timeoutMs, signal });
/** Lets everything happen that needs no time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function isDone(waiting: Promise<void>): Promise<boolean> {
  await settle();
  return Promise.race([waiting.then(() => true), settle().then(() => false)]);
}

describe('a waiter', () => {
  test('is released by the notice after the end of its job, and by none before', async () => {
    const runtime = start(['a', 'b']);
    const [first, second] = [wait('a'), wait('b')];
    await settle();
    runtime.notify();
    expect([await isDone(first), await isDone(second)]).toEqual([false, false]);
    runtime.end('a');
    runtime.notify();
    expect([await isDone(first), await isDone(second)]).toEqual([true, false]);
  });

  test('of a job that has ended already, or is gone, is released at once', async () => {
    start([]);
    expect(await isDone(wait('a'))).toBe(true);
  });

  test('is released when its time is over, and when its client leaves', async () => {
    const runtime = start(['a']);
    await wait('a', { timeoutMs: 1 });
    const gone = new AbortController();
    const waiting = wait('a', { signal: gone.signal });
    expect(await isDone(waiting)).toBe(false);
    gone.abort();
    expect(await isDone(waiting)).toBe(true);
    expect(runtime.listeners.size).toBe(0);
  });

  test('is released when the process stops; later ones do not wait', async () => {
    start(['a']);
    const waiting = wait('a');
    ends.stop();
    expect([await isDone(waiting), await isDone(wait('a'))]).toEqual([true, true]);
  });

  test('beyond the number that one owner, or all, may have does not wait', async () => {
    start(['a'], { ownerWaiters: 2, waiters: 3 });
    const done = [];
    for (const owner of ['x', 'x', 'x', 'y', 'y', 'z']) done.push(await isDone(wait('a', { owner })));
    expect(done).toEqual([false, false, true, false, true, true]);
  });

  test('makes room when it leaves', async () => {
    start(['a'], { ownerWaiters: 1 });
    const gone = new AbortController();
    const first = wait('a', { signal: gone.signal });
    gone.abort();
    await first;
    expect(await isDone(wait('a'))).toBe(false);
  });
});

// rule: beyond.23
test('a hundred waiters cost one statement for a notice, and none while nothing happens', async () => {
  const runtime = start(['a', 'b'], { ownerWaiters: 100 });
  for (let n = 0; n < 100; n++) void wait(n % 2 ? 'a' : 'b');
  await settle();
  runtime.statements.length = 0;
  await settle();
  expect(runtime.statements).toEqual([]);
  runtime.notify();
  await settle();
  expect(runtime.statements).toEqual([['b', 'a']]);
});

test('a notice that comes during a statement is followed by another statement', async () => {
  const runtime = start(['a']);
  const waiting = wait('a');
  runtime.end('a');
  runtime.notify();
  await waiting;
  expect(runtime.listeners.size).toBe(0);
});

test.each([true, false])('without a notice jobs are looked at by and by (runtime with notices: %p)', async (has) => {
  const runtime = start(['a'], { toldCheckMs: 1, untoldCheckMs: 1 }, has);
  const waiting = wait('a');
  await settle();
  runtime.end('a');
  await waiting;
});

test('a database that is away releases nobody, and its return does', async () => {
  const runtime = start(['a']);
  runtime.setAway(true);
  const waiting = wait('a');
  expect(await isDone(waiting)).toBe(false);
  runtime.setAway(false);
  runtime.end('a');
  runtime.notify();
  expect(await isDone(waiting)).toBe(true);
});
