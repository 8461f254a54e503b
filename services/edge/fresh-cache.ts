import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

interface FreshCacheOptions<V> {
  /** Reads many keys at once; a key that the answer lacks is known to be absent. */
  load: (keys: string[]) => Promise<Map<string, V>>;
  /** An answer may be given while the read it came from began less than this ago. */
  freshMs: number;
  maxEntries: number;
  /** Told about a failed read, once until the next one that succeeds. */
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

/** How long a visitor waits for a slow source before the last known answer is good enough. */
const patienceMs = 1000;
const batchTimeoutMs = 5000;
const pauseAfterFailureMs = 200;

/**
 * A bounded cache of answers that are never older than `freshMs`, kept so by few reads: all keys wanted while one read is
 * under way share the next, and keys in use are read again in the background at half their age, so that steady traffic
 * never waits. While the source fails, what was known is served and reads go on until one succeeds.
 */
export function createFreshCache<V>(options: FreshCacheOptions<V>) {
  const { load, freshMs, maxEntries, onFailure } = options;
  const entries = new LRUCache<string, Entry<V>>({ max: maxEntries });
  let waiting: Batch | undefined;
  let flying: Batch | undefined;
  let failing = false;

  function noteFailure(error: unknown) {
    if (!failing) onFailure(error);
    failing = true;
  }

  async function loadInTime(keys: string[]): Promise<Map<string, V>> {
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

  async function fly(batch: Batch) {
    batch.startedAtMs = performance.now();
    const keys = [...batch.keys];
    try {
      const found = await loadInTime(keys);
      for (const key of keys) entries.set(key, { value: found.get(key) ?? null, readAtMs: batch.startedAtMs });
      failing = false;
      batch.finish();
    } catch (error) {
      noteFailure(error);
      batch.finish();
      await sleep(pauseAfterFailureMs);
    }
    flying = undefined;
    if (waiting) launch();
  }

  function launch() {
    flying = waiting;
    waiting = undefined;
    if (flying) void fly(flying);
  }

  function want(key: string): Batch {
    if (flying?.keys.has(key) && performance.now() - flying.startedAtMs < freshMs) return flying;
    if (!waiting) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { keys: new Set(), startedAtMs: Number.POSITIVE_INFINITY, done: promise, finish: resolve };
    }
    const batch = waiting;
    batch.keys.add(key);
    if (!flying) launch();
    return batch;
  }

  async function waitFor(key: string, batch: Batch): Promise<V | null> {
    const before = entries.peek(key);
    const timer = new AbortController();
    const patience = sleep(patienceMs, 'late', { signal: timer.signal }).catch(() => undefined);
    const outcome = await Promise.race([batch.done, patience]);
    timer.abort();
    const entry = entries.peek(key) ?? before;
    if (outcome === 'late') noteFailure(new Error(`A read took longer than ${patienceMs} ms.`));
    if (!entry) throw new SourceUnavailable();
    return entry.value;
  }

  return {
    /**
     * The answer for `key`, null when it is known to be absent; at once when what is known is fresh enough.
     * Rejects with SourceUnavailable when nothing is known and the source does not answer.
     */
    get(key: string): V | null | Promise<V | null> {
      const entry = entries.get(key);
      const ageMs = entry ? performance.now() - entry.readAtMs : Number.POSITIVE_INFINITY;
      if (entry && ageMs < freshMs / 2) return entry.value;
      const batch = want(key);
      if (entry && (ageMs < freshMs || failing)) return entry.value;
      return waitFor(key, batch);
    },

    /** What is known about `key` without asking anyone, however old; undefined when nothing is. */
    peek(key: string): V | null | undefined {
      return entries.peek(key)?.value;
    },
  };
}

/** Nothing is known and the source of truth cannot be asked now: 503. */
export class SourceUnavailable extends Error {
  constructor(cause?: unknown) {
    super('An engine behind the edge cannot be reached.', { cause });
  }
}
