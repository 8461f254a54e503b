import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

interface FreshCacheOptions<V> {
  /** Reads many keys at once; a key missing in the result is known to be absent. */
  load: (keys: string[]) => Promise<Map<string, V>>;
  /** A value may be returned while its read started less than this ago. */
  freshMs: number;
  maxEntries: number;
  /** Called after a failed read, then not again until a read has succeeded. */
  onFailure: (error: unknown) => void;
}

interface Entry<V> {
  value: V | null;
  readAtMs: number;
}

interface Batch {
  keys: Set<string>;
  startedAtMs: number;
  done: Promise<void>;
  finish: () => void;
}

/** Maximum time a visitor waits for a slow source before the last known value is served. */
const maxWaitMs = 1000;
const batchTimeoutMs = 5000;
const pauseAfterFailureMs = 200;

/**
 * Creates a bounded cache of values that are at most `freshMs` old, with few reads: all keys requested during one read
 * share the next, and keys in use are read again in the background at half that age, so that steady traffic never
 * waits. While the source fails, known values are served and reads are retried.
 */
export function createFreshCache<V>(options: FreshCacheOptions<V>) {
  const { load, freshMs, maxEntries, onFailure } = options;
  const entries = new LRUCache<string, Entry<V>>({ max: maxEntries });
  let waiting: Batch | undefined;
  let running: Batch | undefined;
  let failing = false;

  function noteFailure(error: unknown) {
    if (!failing) onFailure(error);
    failing = true;
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
      batch.finish();
    } catch (error) {
      noteFailure(error);
      batch.finish();
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

  function joinBatch(key: string): Batch {
    if (running?.keys.has(key) && performance.now() - running.startedAtMs < freshMs) return running;
    if (!waiting) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { keys: new Set(), startedAtMs: Number.POSITIVE_INFINITY, done: promise, finish: resolve };
    }
    const batch = waiting;
    batch.keys.add(key);
    if (!running) startNext();
    return batch;
  }

  async function waitFor(key: string, batch: Batch): Promise<V | null> {
    const before = entries.peek(key);
    const timer = new AbortController();
    const timeout = sleep(maxWaitMs, 'late', { signal: timer.signal }).catch(() => undefined);
    const outcome = await Promise.race([batch.done, timeout]);
    timer.abort();
    const entry = entries.peek(key) ?? before;
    if (outcome === 'late') noteFailure(new Error(`A read took longer than ${maxWaitMs} ms.`));
    if (!entry) throw new SourceUnavailable();
    return entry.value;
  }

  return {
    /**
     * Returns the value for `key`, null when it is known to be absent; synchronously if the known value is fresh
     * enough. Rejects with SourceUnavailable when nothing is known and the source does not respond.
     */
    get(key: string): V | null | Promise<V | null> {
      const entry = entries.get(key);
      const ageMs = entry ? performance.now() - entry.readAtMs : Number.POSITIVE_INFINITY;
      if (entry && ageMs < freshMs / 2) return entry.value;
      const batch = joinBatch(key);
      if (entry && (ageMs < freshMs || failing)) return entry.value;
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
