import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { watchPauses } from '../core/pause-watch.ts';

interface FreshCacheOptions<V> {
  /** Reads many keys at once; a key missing in the result is known to be absent. */
  load: (keys: string[]) => Promise<Map<string, V>>;
  /** A value may be returned while its read started less than this ago. */
  freshMs: number;
  maxEntries: number;
  /** Called after a failed read, then not again until a read has succeeded. */
  onFailure: (error: unknown) => void;
  /** More rules than age; times are of `performance.now()`. */
  rules?: FreshRules<V>;
}

interface FreshRules<V> {
  /** A value may be returned from the cache if its read began at this time or later; Infinity: none may. */
  usableSince(): number;
  /** The value is wrong if its read began earlier: it is not returned even while the source fails. */
  wrongBefore(value: V): number;
  /** A request waits for no read that began earlier. */
  joinableSince(): number;
  /** The value (null: absent) may change with any swap, so one read before `joinableSince` is read again before it is returned. */
  changesWithAnySwap(value: V | null): boolean;
}

interface Entry<V> {
  value: V | null;
  readAtMs: number;
}

interface Batch {
  keys: Set<string>;
  startedAtMs: number;
  done: Promise<'read' | 'failed'>;
  finish: (outcome: 'read' | 'failed') => void;
}

/** Maximum time a visitor waits for a slow source before the last known value is served. */
const maxWaitMs = 1000;
const batchTimeoutMs = 5000;
const pauseAfterFailureMs = 200;
/** Known values are served without waiting for this time after a failed read; longer than a failing read takes. */
const failingForMs = batchTimeoutMs + maxWaitMs;

const pauses = watchPauses();

const ageOnly: FreshRules<unknown> = {
  usableSince: () => Number.NEGATIVE_INFINITY,
  wrongBefore: () => Number.NEGATIVE_INFINITY,
  joinableSince: () => Number.NEGATIVE_INFINITY,
  changesWithAnySwap: () => false,
};

/**
 * Creates a bounded cache of values that are at most `freshMs` old, with few reads: all keys requested during one read
 * share the next, and keys in use are read again in the background at half that age, so that steady traffic never
 * waits. While the source fails, known values are served and reads are retried. A read that took long because this process
 * did not run says nothing about the source.
 */
export function createFreshCache<V>(options: FreshCacheOptions<V>) {
  const { load, freshMs, maxEntries, onFailure, rules = ageOnly } = options;
  const entries = new LRUCache<string, Entry<V>>({ max: maxEntries });
  let waiting: Batch | undefined;
  let running: Batch | undefined;
  let failing = false;
  let failedAtMs = Number.NEGATIVE_INFINITY;

  /** Notes that the source fails, unless this process was paused during the read. */
  function noteFailure(error: unknown, startedAtMs: number) {
    if (pauses.pausedSince(startedAtMs)) return;
    if (!failing) onFailure(error);
    failing = true;
    failedAtMs = performance.now();
  }

  async function loadWithTimeout(keys: string[]): Promise<Map<string, V>> {
    const timer = new AbortController();
    const timeout = sleep(batchTimeoutMs, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`A read of ${keys.length} keys took longer than ${batchTimeoutMs} ms.`);
    });
    try {
      return await Promise.race([load(keys), timeout]);
    } finally {
      timeout.catch(() => undefined); // aborted: the read was in time
      timer.abort();
    }
  }

  async function run(batch: Batch) {
    batch.startedAtMs = performance.now();
    const keys = [...batch.keys];
    try {
      const found = await loadWithTimeout(keys);
      for (const key of keys) entries.set(key, { value: found.get(key) ?? null, readAtMs: batch.startedAtMs });
      failing = false;
      batch.finish('read');
    } catch (error) {
      noteFailure(error, batch.startedAtMs);
      batch.finish('failed');
      await sleep(pauseAfterFailureMs);
    }
    running = undefined;
    if (waiting) startNext();
  }

  function startNext() {
    running = waiting;
    waiting = undefined;
    if (running) void run(running);
  }

  /** Returns the running read if it began after `sinceMs` and reads the key, otherwise the next one. */
  function joinBatch(key: string, sinceMs: number): Batch {
    if (running?.keys.has(key) && running.startedAtMs >= sinceMs) return running;
    if (!waiting) {
      const { promise, resolve } = Promise.withResolvers<'read' | 'failed'>();
      waiting = { keys: new Set(), startedAtMs: Number.POSITIVE_INFINITY, done: promise, finish: resolve };
    }
    const batch = waiting;
    batch.keys.add(key);
    if (!running) startNext();
    return batch;
  }

  const isOutdated = ({ value, readAtMs }: Entry<V>) =>
    rules.changesWithAnySwap(value) && readAtMs < rules.joinableSince();

  const isWrong = ({ value, readAtMs }: Entry<V>) => value !== null && readAtMs < rules.wrongBefore(value);

  /** Waits for the batch, or, in time in which this process runs, for `maxWaitMs`. */
  async function waitForBatch(batch: Batch): Promise<'read' | 'failed' | 'late'> {
    for (;;) {
      const startedAtMs = performance.now();
      const timer = new AbortController();
      const timeout = sleep(maxWaitMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
      const outcome = await Promise.race([batch.done, timeout]);
      timer.abort();
      if (outcome !== 'late' || !pauses.pausedSince(startedAtMs)) return outcome;
    }
  }

  async function waitFor(key: string, batch: Batch): Promise<V | null> {
    const before = entries.peek(key);
    const startedAtMs = performance.now();
    const outcome = await waitForBatch(batch);
    const entry = entries.peek(key) ?? before;
    if (outcome === 'late') noteFailure(new Error(`A read took longer than ${maxWaitMs} ms.`), startedAtMs);
    if (!entry || (outcome !== 'read' && isWrong(entry))) throw new SourceUnavailable();
    return entry.value;
  }

  return {
    /**
     * Returns the value for `key`, null when it is known to be absent; synchronously if the known value is fresh
     * enough. Rejects with SourceUnavailable when nothing is known and the source does not respond.
     */
    get(key: string): V | null | Promise<V | null> {
      const entry = entries.get(key);
      const now = performance.now();
      const usableSince = rules.usableSince();
      const usable =
        entry && entry.readAtMs >= usableSince && !isWrong(entry) && !isOutdated(entry) ? entry : undefined;
      if (usable && now - usable.readAtMs < freshMs / 2) return usable.value;
      const batch = joinBatch(key, Math.max(now - freshMs, Math.min(usableSince, now), rules.joinableSince()));
      if (usable && now - usable.readAtMs < freshMs) return usable.value;
      if (entry && failing && now - failedAtMs < failingForMs && !isWrong(entry)) return entry.value;
      return waitFor(key, batch);
    },

    /** Returns the cached value of `key`, however old, without a read; undefined when it is unknown. */
    peek(key: string): V | null | undefined {
      return entries.peek(key)?.value;
    },
  };
}

/** Thrown when nothing is known and the source of truth is unavailable: 503. */
export class SourceUnavailable extends Error {
  constructor(cause?: unknown) {
    super('An engine behind the edge cannot be reached.', { cause });
  }
}
