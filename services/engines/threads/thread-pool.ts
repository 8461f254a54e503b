import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import { countWork, watchQueue } from './metrics.ts';

/** A kind of work that threads do. */
export interface ThreadWork {
  /** Its label in metrics. */
  name: string;
  /** A module whose default export does the work. */
  entry: string;
  /** Time limit for one piece of work. */
  timeoutMs: number;
}

/** Threads for work that would block the event loop; see `createThreadPool`. */
export interface ThreadPool {
  /**
   * Runs the entry's default export with `input` in a thread, and resolves to its result. Work of different keys takes
   * turns. Buffers in `transfer` are moved into the thread instead of copied: they are empty here afterwards. Throws
   * `unavailable` when too much work waits, a ThreadFailure when the work exceeds its time or memory, and what the work
   * throws.
   */
  run<T>(work: ThreadWork, key: string, input: unknown, transfer?: readonly ArrayBuffer[]): Promise<T>;
  /** Ends the threads and their work. */
  stop(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** Heap limit of a thread. */
  memoryMb: number;
  /** By default one less than the number of processors, at least one and at most four. */
  maxThreads: number;
  /** Maximum number of waiting pieces of work; beyond it, a key without waiting work may queue one. */
  maxWaiting: number;
}

/** The work exceeded a limit, and its thread was ended. */
export class ThreadFailure extends Error {
  readonly reason: 'memory' | 'time';

  constructor(reason: 'memory' | 'time', cause: unknown) {
    super(`The work took too much ${reason}.`, { cause });
    this.reason = reason;
  }
}

const idleMs = 30_000;
const youngGenerationMb = 16;

/** Sanitizing the worst 4 MiB needs less than 256 MB (docs/decisions/0121). */
const defaults: ThreadPoolOptions = {
  memoryMb: 384,
  maxThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  maxWaiting: 64,
};

/**
 * Creates the threads of a process, bounded in number, memory and time, and fair by key across all kinds of work. The
 * first work starts a thread; an idle one ends after 30 s, so that an idle process stays small.
 */
export function createThreadPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const { memoryMb, maxThreads, maxWaiting } = { ...defaults, ...options };
  const queue = createFairQueue({ capacity: maxThreads, maxWaiting });
  const watch = watchQueue(queue);
  let opened: Promise<Piscina> | undefined;

  async function open(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      // the threads need no variables, and the environment contains secrets
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
      recordTiming: false,
    });
  }

  async function runNow<T>({ entry, timeoutMs }: ThreadWork, input: unknown, transfer: ArrayBuffer[]): Promise<T> {
    opened ??= open();
    const pool = await opened;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await pool.run(input, { filename: entry, signal, transferList: transfer });
    } catch (error) {
      if (signal.aborted) throw new ThreadFailure('time', error);
      if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new ThreadFailure('memory', error);
      throw error;
    }
  }

  return {
    run: (work, key, input, transfer = []) =>
      takeTurn(queue, key, async () => {
        const startedAt = performance.now();
        try {
          return await runNow(work, input, [...transfer]);
        } finally {
          countWork(work.name, performance.now() - startedAt);
        }
      }),
    async stop() {
      watch.forget();
      await (await opened)?.destroy();
    },
  };
}
