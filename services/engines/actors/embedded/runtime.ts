import type { ActorRuntime, CallName } from '../../../../workflows/contracts/runtime.ts';
import { traceContextKeptMs } from '../../../../workflows/policies/index.ts';
import type { Origin } from '../../../core/tracing.ts';
import type { CallRunner } from './call-runner.ts';

/** Ends a run that continues as a new one. */
class ContinueAsNew extends Error {}

export type Actor = (runtime: ActorRuntime, input: never) => Promise<unknown>;

interface Waiter {
  condition: () => boolean;
  resolve: (holds: boolean) => void;
  timer: NodeJS.Timeout | undefined;
}

const noOrigin: Origin = {};

/** Creates one actor in this process: its runtime, and the functions that wake and cancel it. */
export function createEmbeddedActor(id: string, calls: CallRunner) {
  const waiters = new Set<Waiter>();
  /** Cancels every call of the actor. */
  const ended = new AbortController();
  let caller: { origin: Origin; atMs: number } | undefined;

  /** Returns the origin of the actor's work: for a while after a wake, that of its caller. */
  function origin(): Origin {
    return caller && performance.now() - caller.atMs <= traceContextKeptMs ? caller.origin : noOrigin;
  }

  function settle(waiter: Waiter, holds: boolean): void {
    waiters.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.resolve(holds);
  }

  /** Settles the waiters whose condition is met; called when anything that conditions read may have changed. */
  function check(): void {
    for (const waiter of waiters) if (waiter.condition()) settle(waiter, true);
  }

  const start: ActorRuntime['start'] = (name: CallName, input: unknown) => {
    const cancelled = new AbortController();
    const signal = AbortSignal.any([ended.signal, cancelled.signal]);
    const result = calls.run({ name, input, actor: id, origin, signal });
    // run after the actor's own continuations of the result, which may change what conditions read
    const recheck = () => setImmediate(check);
    result.then(recheck, recheck);
    return { result: result as never, cancel: () => cancelled.abort() };
  };

  const runtime: ActorRuntime = {
    woken: false,
    start,
    call: (name, input) => start(name, input).result,
    wait(condition, timeoutMs) {
      if (condition()) return Promise.resolve(true);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const waiter: Waiter = { condition, resolve, timer: undefined };
      if (timeoutMs !== undefined) waiter.timer = setTimeout(() => settle(waiter, condition()), timeoutMs);
      waiters.add(waiter);
      return promise;
    },
    // no history to keep short
    shouldContinueAsNew: () => false,
    continueAsNew: () => Promise.reject(new ContinueAsNew()),
  };

  return {
    runtime,
    wake(from: Origin): void {
      caller = { origin: from, atMs: performance.now() };
      runtime.woken = true;
      check();
    },
    /** Cancels the running calls. */
    cancel: () => ended.abort(),
  };
}

export type EmbeddedActor = ReturnType<typeof createEmbeddedActor>;

/**
 * Runs an actor until it ends, and again if a wake arrived that it has not handled. Rejects with the error of a failed
 * call.
 */
export async function runActor({ runtime }: EmbeddedActor, actor: Actor, input: unknown): Promise<unknown> {
  for (;;) {
    try {
      runtime.woken = false;
      const result = await actor(runtime, input as never);
      if (!runtime.woken) return result;
    } catch (error) {
      if (!(error instanceof ContinueAsNew)) throw error;
    }
  }
}
