import type { ActorRuntime, CallName } from '../../../../workflows/contracts/runtime.ts';
import { traceContextKeptMs } from '../../../../workflows/policies/index.ts';
import type { Origin } from '../../../core/tracing.ts';
import type { CallRunner } from './call-runner.ts';

/** Ends a run that is to begin again. */
class ContinueAsNew extends Error {}

export type Actor = (runtime: ActorRuntime, input: never) => Promise<unknown>;

interface Waiter {
  condition: () => boolean;
  resolve: (holds: boolean) => void;
  timer: NodeJS.Timeout | undefined;
}

const noOrigin: Origin = {};

/** One actor in this process: its runtime, and how it is woken. */
export function createEmbeddedActor(id: string, calls: CallRunner) {
  const waiters = new Set<Waiter>();
  /** Cancels every call of the actor. */
  const ended = new AbortController();
  let caller: { origin: Origin; atMs: number } | undefined;

  /** An actor's work counts as its last caller's for a while. */
  function origin(): Origin {
    return caller && performance.now() - caller.atMs <= traceContextKeptMs ? caller.origin : noOrigin;
  }

  function settle(waiter: Waiter, holds: boolean): void {
    waiters.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.resolve(holds);
  }

  /** Something that a condition may depend on has changed. */
  function check(): void {
    for (const waiter of waiters) if (waiter.condition()) settle(waiter, true);
  }

  const start: ActorRuntime['start'] = (name: CallName, input: unknown) => {
    const cancelled = new AbortController();
    const signal = AbortSignal.any([ended.signal, cancelled.signal]);
    const result = calls.run({ name, input, actor: id, origin, signal });
    // after the actor's own continuations of the result, which change what conditions read
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
    // there is no history to keep short
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
    /** Cancels the calls under way. */
    cancel: () => ended.abort(),
  };
}

export type EmbeddedActor = ReturnType<typeof createEmbeddedActor>;

/** Runs an actor until it ends; a wake that it did not look at begins it again. Rejects with what a call threw. */
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
