import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { createFairQueue } from '../../core/fair-queue.ts';

/** Threads for work that would keep the event loop busy; see `createThreadPool`. */
export interface ThreadPool {
  /**
   * Runs the entry's default export with `input` in a thread, and answers what it answers. Work of different keys takes turns. Throws
   * `unavailable` when too much waits, a ThreadFailure when the work takes more time or memory than it may, and what the work throws.
   */
  run<T>(key: string, input: unknown): Promise<T>;
  /** Ends the threads, and the work in them. */
  stop(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** A module whose default export does the work. */
  entry: string;
  /** What the heap of a thread may hold. */
  memoryMb: number;
  timeoutMs: number;
  /** By default one less than there are processors, at least one and at most four. */
  maxThreads?: number;
  /** So much may wait; beyond that only the first of a key. */
  maxWaiting: number;
}

/** The work took more than it may, and its thread was ended. */
export class ThreadFailure extends Error {
  readonly reason: 'memory' | 'time';

  constructor(reason: 'memory' | 'time', cause: unknown) {
    super(`The work took too much ${reason}.`, { cause });
    this.reason = reason;
  }
}

const idleMs = 30_000;
const youngGenerationMb = 16;

/**
 * A pool of threads, bounded in number, memory and time, and fair by key. The first work starts a thread; one that has nothing to do
 * ends after 30 s, so that an idle process stays small.
 */
export function createThreadPool({
  entry,
  memoryMb,
  timeoutMs,
  maxWaiting,
  ...options
}: ThreadPoolOptions): ThreadPool {
  const maxThreads = options.maxThreads ?? Math.min(4, Math.max(1, availableParallelism() - 1));
  const queue = createFairQueue({ capacity: maxThreads, maxWaiting });
  let opened: Promise<Piscina> | undefined;

  async function open(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename: entry,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      // the threads need nothing of it, and it holds secrets
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
      recordTiming: false,
    });
  }

  async function runNow<T>(input: unknown): Promise<T> {
    opened ??= open();
    const pool = await opened;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await pool.run(input, { signal });
    } catch (error) {
      if (signal.aborted) throw new ThreadFailure('time', error);
      if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new ThreadFailure('memory', error);
      throw error;
    }
  }

  return {
    async run(key, input) {
      const turn = queue.enter(key, 1);
      try {
        await turn.ready;
        return await runNow(input);
      } finally {
        turn.end();
      }
    },
    async stop() {
      await (await opened)?.destroy();
    },
  };
}
