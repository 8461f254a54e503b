import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../core/db.ts';
import type { Logger } from '../../../core/log.ts';
import type { ActorClient } from '../../../engines/actors/actor-client.ts';
import type { JobEnds } from '../../app.ts';
import { selectUnended } from './sql.ts';

export interface JobEndsOptions {
  /** Maximum number of waiters of one owner, and of the process. */
  ownerWaiters: number;
  waiters: number;
  /** Interval of the statement that checks all jobs with waiters, if the runtime notifies of ended jobs, and if it does not. */
  toldCheckMs: number;
  untoldCheckMs: number;
}

const defaults: JobEndsOptions = { ownerWaiters: 30, waiters: 1000, toldCheckMs: 10_000, untoldCheckMs: 2000 };

interface Waiter {
  job: string;
  owner: string;
  release(): void;
}

/** Creates the waiting for ended jobs. It checks all waiters in one statement, on notices of the worker and at an interval (docs/decisions/0225). */
export function createJobEnds(
  { db, actors, log }: { db: Db; actors: Pick<ActorClient, 'hearJobsEnded'>; log: Logger },
  options: Partial<JobEndsOptions> = {},
): JobEnds {
  const { ownerWaiters, waiters: maxWaiters, toldCheckMs, untoldCheckMs } = { ...defaults, ...options };
  const checkMs = actors.hearJobsEnded ? toldCheckMs : untoldCheckMs;
  const waiters = new Set<Waiter>();
  // work for all waiters must not run in the context of the first request
  const outside = AsyncLocalStorage.snapshot();
  let hearing: AbortController | null = null;
  let stopped = false;
  let checking: { again: boolean } | null = null;

  async function checkOnce(): Promise<void> {
    const asked = [...waiters];
    if (asked.length === 0) return;
    const unended = await selectUnended(db, [...new Set(asked.map(({ job }) => job))]);
    for (const { job, release } of asked) if (!unended.has(job)) release();
  }

  /** Runs one statement at a time; a call during one causes another after it. */
  async function check(): Promise<void> {
    if (checking) {
      checking.again = true;
      return;
    }
    const mine = { again: true };
    checking = mine;
    try {
      while (mine.again) {
        mine.again = false;
        await checkOnce();
      }
    } catch (error) {
      // waiting requests get the same error when they read their job after the timeout
      log.debug({ err: error }, 'jobs with waiters could not be looked at; they will be again');
    } finally {
      checking = null;
    }
  }

  async function keepChecking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(checkMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await check();
    }
  }

  function begin(): void {
    hearing ??= new AbortController();
    const { signal } = hearing;
    outside(() => {
      actors.hearJobsEnded?.(() => void check(), signal);
      void keepChecking(signal);
    });
  }

  function hasRoom(owner: string): boolean {
    const mine = [...waiters].filter((waiter) => waiter.owner === owner).length;
    return waiters.size < maxWaiters && mine < ownerWaiters;
  }

  return {
    async wait(job, { owner, timeoutMs, signal }) {
      if (stopped || signal.aborted || !hasRoom(owner)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter: Waiter = { job, owner, release: resolve };
      const timer = setTimeout(resolve, timeoutMs);
      signal.addEventListener('abort', () => resolve(), { once: true });
      waiters.add(waiter);
      if (!hearing) begin();
      // the job may have ended before this waiter was added
      outside(() => void check());
      await promise;
      clearTimeout(timer);
      waiters.delete(waiter);
      if (waiters.size > 0) return;
      hearing?.abort();
      hearing = null;
    },
    stop() {
      stopped = true;
      for (const { release } of waiters) release();
    },
  };
}
