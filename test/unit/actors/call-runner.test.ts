import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { problem } from '../../../services/core/errors.ts';
import { type Call, type CallRunner, createCallRunner } from '../../../services/engines/actors/embedded/call-runner.ts';
import { CallCancelled, type CallContext, type CallName } from '../../../workflows/contracts/runtime.ts';
import type { CallPolicy } from '../../../workflows/policies/index.ts';

const log = pino({ level: 'silent' });
const retry = { initialInterval: 5, backoffCoefficient: 2, maximumInterval: 20 };
const policies: Record<string, CallPolicy<unknown>> = {
  buildSite: { queue: 'video', startToCloseTimeout: 10_000, retry },
  workInbox: { queue: 'inbox', startToCloseTimeout: 50, retry },
  checkFacts: {
    queue: 'general',
    startToCloseTimeout: 10_000,
    retry: { ...retry, maximumAttempts: 2 },
    problemsAreFinal: true,
  },
};

type Handlers = Partial<Record<CallName, (input: never, context: CallContext) => Promise<unknown>>>;
let runner: CallRunner | undefined;
const stuck: Call[] = [];

function start(handlers: Handlers, stuckAfterMs = 10_000): CallRunner {
  stuck.length = 0;
  const onStuck = (call: Call) => void stuck.push(call);
  runner = createCallRunner({ handlers: handlers as never, log, onStuck, policies, stuckAfterMs });
  return runner;
}

function call(name: CallName, signal = new AbortController().signal): Call {
  return { name, input: 'input', actor: 'actor', origin: () => ({}), signal };
}

afterEach(async () => {
  await runner?.stop(0);
  runner = undefined;
});

describe('retries', () => {
  test('a call is retried until it succeeds, and is told the number of the attempt', async () => {
    const attempts: number[] = [];
    const { run } = start({
      async buildSite(_input, { attempt }) {
        attempts.push(attempt);
        if (attempt < 4) throw new Error('the database does not answer');
        return 'built';
      },
    });
    await expect(run(call('buildSite'))).resolves.toBe('built');
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  test('a call whose policy bounds the attempts rejects with the last error', async () => {
    let attempts = 0;
    const { run } = start({
      async checkFacts() {
        throw new Error(`failure ${++attempts}`);
      },
    });
    await expect(run(call('checkFacts'))).rejects.toThrow('failure 2');
  });

  test('a Problem that is the answer for the caller is not retried', async () => {
    let attempts = 0;
    const { run } = start({
      async checkFacts() {
        attempts++;
        throw problem('not_found', 'The item was deleted.');
      },
    });
    await expect(run(call('checkFacts'))).rejects.toMatchObject({ code: 'not_found' });
    expect(attempts).toBe(1);
  });

  // rule: threat.24
  test('a call that is refused because its caller has too much under way is not retried', async () => {
    let attempts = 0;
    const { run } = start({
      async checkFacts() {
        attempts++;
        throw problem('unavailable', 'Too much of this site.', { retryAfterSeconds: 10, isBusy: true });
      },
    });
    await expect(run(call('checkFacts'))).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });
    expect(attempts).toBe(1);
  });
});

describe('queues', () => {
  test('a queue runs at most its number of calls at once, and all of them in the end', async () => {
    let running = 0;
    let most = 0;
    const { run } = start({
      async buildSite() {
        most = Math.max(most, ++running);
        await sleep(5);
        running--;
      },
    });
    await Promise.all(Array.from({ length: 6 }, () => run(call('buildSite'))));
    expect({ most, running }).toEqual({ most: 1, running: 0 });
  });

  test('actors take turns in a queue, however many calls one of them has waiting', async () => {
    const started: string[] = [];
    const { run } = start({
      async buildSite(input: string) {
        started.push(input);
        await sleep(1);
      },
    });
    const calls = ['greedy', 'greedy', 'greedy', 'modest'].map((actor) =>
      run({ ...call('buildSite'), actor, input: actor }),
    );
    await Promise.all(calls);
    expect(started).toEqual(['greedy', 'greedy', 'modest', 'greedy']);
  });

  test('a call that waits for its place in the queue can be cancelled there', async () => {
    const release = Promise.withResolvers<void>();
    const started: string[] = [];
    const { run } = start({
      async buildSite(input: string) {
        started.push(input);
        await release.promise;
      },
    });
    const first = run(call('buildSite'));
    const cancel = new AbortController();
    const second = run(call('buildSite', cancel.signal));
    cancel.abort();
    await expect(second).rejects.toBeInstanceOf(CallCancelled);
    release.resolve();
    await first;
    expect(started).toEqual(['input']);
  });
});

describe('time limits and cancellation', () => {
  test('an attempt whose time is over keeps its turn until it has really ended, then it is retried', async () => {
    const events: string[] = [];
    const { run } = start({
      async workInbox(_input, { signal, attempt }) {
        events.push(`begin ${attempt}`);
        if (attempt === 1) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await sleep(60); // slow to notice
          events.push('end 1');
          throw new Error('aborted');
        }
        return 'done';
      },
    });
    await expect(run(call('workInbox'))).resolves.toBe('done');
    expect(events).toEqual(['begin 1', 'end 1', 'begin 2']);
  });

  test('a cancelled call rejects with CallCancelled when its attempt has ended, and is not retried', async () => {
    const cancel = new AbortController();
    let ended = false;
    const { run } = start({
      async buildSite(_input, { signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await sleep(20);
        ended = true;
        throw new Error('stopped');
      },
    });
    const running = run(call('buildSite', cancel.signal));
    await sleep(10);
    cancel.abort();
    await expect(running).rejects.toBeInstanceOf(CallCancelled);
    expect(ended).toBe(true);
  });

  test('an attempt that ignores its cancellation is reported, so that the process can end', async () => {
    const cancel = new AbortController();
    const release = Promise.withResolvers<void>();
    const { run } = start({ buildSite: () => release.promise }, 20);
    const running = run(call('buildSite', cancel.signal)).catch(() => undefined);
    await sleep(10);
    cancel.abort();
    await sleep(60);
    expect(stuck.map(({ name }) => name)).toEqual(['buildSite']);
    release.resolve();
    await running;
  });
});

test('a stop lets calls under way finish, and starts no other', async () => {
  const done: string[] = [];
  const { run, stop } = start({
    async buildSite(input: string) {
      await sleep(40);
      done.push(input);
    },
  });
  void run(call('buildSite')).catch(() => undefined);
  void run(call('buildSite')).catch(() => undefined);
  await sleep(5);
  await stop(1000);
  expect(done).toEqual(['input']);
});
