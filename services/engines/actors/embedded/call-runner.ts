import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallCancelled, type CallHandlers, type CallName } from '../../../../workflows/contracts/runtime.ts';
import {
  type CallPolicy,
  callPolicies,
  type QueueName,
  queueLimits,
  type RetryPolicy,
} from '../../../../workflows/policies/index.ts';
import { Problem } from '../../../core/errors.ts';
import { createFairQueue, takeTurn } from '../../../core/fair-queue.ts';
import type { Logger } from '../../../core/log.ts';
import type { Origin } from '../../../core/tracing.ts';
import { isFinal, measureCall } from '../measure-call.ts';

export interface Call {
  name: CallName;
  input: unknown;
  /** The actor that started the call. */
  actor: string;
  /** Returns the trace context; called when an attempt starts. */
  origin: () => Origin;
  /** Cancels the call: a running attempt is signalled, and no further one starts. */
  signal: AbortSignal;
}

export interface CallRunnerOptions {
  handlers: CallHandlers;
  log: Logger;
  /** Called when an attempt still runs this long after its timeout or cancellation: the process must end. */
  onStuck(call: Call): void;
  policies?: Record<string, CallPolicy<unknown>>;
  stuckAfterMs?: number;
}

type Handler = (input: unknown, context: { signal: AbortSignal; attempt: number }) => Promise<unknown>;

/** An attempt exceeded the time limit of its policy. */
class CallTimedOut extends Error {}

/** How long an attempt may continue after it was cancelled. */
const defaultStuckAfterMs = 60_000;

function backOffMs({ initialInterval, backoffCoefficient, maximumInterval }: RetryPolicy, attempt: number): number {
  return Math.min(initialInterval * backoffCoefficient ** (attempt - 1), maximumInterval);
}

/**
 * Runs calls in this process under the same policies as Temporal: bounded concurrency per queue, a timeout per attempt,
 * retries with back-off, cancellation. An attempt that has timed out keeps its place in the queue, and its caller waits
 * until it has really ended, so that no second attempt runs concurrently.
 */
export function createCallRunner({ handlers, log, onStuck, ...options }: CallRunnerOptions) {
  const policies = options.policies ?? (callPolicies as Record<string, CallPolicy<unknown>>);
  const stuckAfterMs = options.stuckAfterMs ?? defaultStuckAfterMs;
  const queues = new Map(
    (Object.entries(queueLimits) as [QueueName, number][]).map(([name, concurrency]) => [
      name,
      createFairQueue({ capacity: concurrency, maxWaiting: Number.POSITIVE_INFINITY }),
    ]),
  );
  const running = new Set<Promise<unknown>>();
  const runningIn = new Map<string, number>();
  const stopping = new AbortController();
  let isPaused = false;

  /** Runs one attempt; settles when it has really ended. */
  async function runAttempt(call: Call, policy: CallPolicy<unknown>, attempt: number): Promise<unknown> {
    const timeOut = new AbortController();
    const timer = setTimeout(
      () => timeOut.abort(new CallTimedOut(`${call.name} took longer than ${policy.startToCloseTimeout} ms.`)),
      policy.startToCloseTimeout,
    );
    const signal = AbortSignal.any([call.signal, timeOut.signal, stopping.signal]);
    let stuckTimer: NodeJS.Timeout | undefined;
    const watch = () => {
      stuckTimer = setTimeout(() => onStuck(call), stuckAfterMs);
    };
    signal.addEventListener('abort', watch, { once: true });
    const handler = handlers[call.name] as Handler;
    const meta = { activity: call.name, actor: call.actor, attempt, origin: call.origin() };
    try {
      return await measureCall(meta, policy, () => handler(call.input, { signal, attempt }));
    } catch (error) {
      throw timeOut.signal.aborted && !call.signal.aborted ? timeOut.signal.reason : error;
    } finally {
      clearTimeout(timer);
      clearTimeout(stuckTimer);
      signal.removeEventListener('abort', watch);
    }
  }

  /** Starts an attempt; a stop waits for it. */
  function begin(call: Call, policy: CallPolicy<unknown>, attempt: number): Promise<unknown> {
    const attempted = runAttempt(call, policy, attempt);
    const ended = attempted.then(
      () => undefined,
      () => undefined,
    );
    running.add(ended);
    void ended.then(() => running.delete(ended));
    return attempted;
  }

  async function enqueue(call: Call, policy: CallPolicy<unknown>, attempt: number): Promise<unknown> {
    if (policy.queue === 'local') return begin(call, policy, attempt);
    const name = typeof policy.queue === 'function' ? policy.queue(call.input) : policy.queue;
    const signal = AbortSignal.any([call.signal, stopping.signal]);
    const work = async () => {
      // a stopping runner starts no attempt; waiting calls end when the stop aborts them
      if (isPaused && !signal.aborted) await once(signal, 'abort');
      signal.throwIfAborted();
      runningIn.set(name, (runningIn.get(name) ?? 0) + 1);
      return begin(call, policy, attempt).finally(() => runningIn.set(name, runningIn.get(name)! - 1));
    };
    return takeTurn(queues.get(name)!, call.actor, work, signal);
  }

  async function run(call: Call): Promise<unknown> {
    const policy = policies[call.name]!;
    for (let attempt = 1; ; attempt++) {
      try {
        return await enqueue(call, policy, attempt);
      } catch (error) {
        if (call.signal.aborted) throw new CallCancelled(call.name, { cause: error });
        if (isFinal(error, policy) || attempt >= (policy.retry.maximumAttempts ?? Number.POSITIVE_INFINITY))
          throw error;
        if (stopping.signal.aborted) throw error;
        // an unavailable engine has been logged already, once and with its cause
        const level = error instanceof Problem && error.code === 'unavailable' ? 'debug' : 'warn';
        log[level](
          { err: error, activity: call.name, actor: call.actor, attempt },
          'a call failed and will be retried',
        );
      }
      const pause = AbortSignal.any([call.signal, stopping.signal]);
      await sleep(backOffMs(policy.retry, attempt), undefined, { signal: pause }).catch(() => undefined);
      if (call.signal.aborted) throw new CallCancelled(call.name);
      if (stopping.signal.aborted) throw new Error('The worker is stopping.');
    }
  }

  const allEnded = async () => {
    while (running.size > 0) await Promise.all(running);
  };

  return {
    /**
     * Runs a call until it succeeds, is cancelled, or may not be retried. Rejects with CallCancelled or the last error.
     */
    run,
    /** Returns the calls of each queue, for metrics. */
    *counts(): Generator<[queue: string, counts: { waiting: number; running: number }]> {
      for (const [name, queue] of queues) yield [name, { waiting: queue.waiting(), running: runningIn.get(name) ?? 0 }];
    },
    /** Starts no more attempts, waits `graceMs` for the running ones, cancels them, and waits as long again. */
    async stop(graceMs: number): Promise<void> {
      isPaused = true;
      const within = () => sleep(graceMs, undefined, { ref: false });
      await Promise.race([allEnded(), within()]);
      stopping.abort(new Error('The worker is stopping.'));
      await Promise.race([allEnded(), within()]);
    },
  };
}

export type CallRunner = ReturnType<typeof createCallRunner>;
