import { maxReasons, type Reason, type Why } from './why.ts';

/**
 * What every page of a release read while it was rendered. Within one release a read has one value, so values are kept
 * once and pages refer to them by number.
 */
export interface Trace {
  /** Grows when the meaning of reads changes; a trace of another version is not used. */
  version: string;
  keys: string[];
  values: string[];
  /** By page path, indexes into `keys`. */
  pages: Record<string, number[]>;
  /** Releases made before this was kept lack it. */
  why?: Why;
}

/**
 * Compares a release's trace with the present state: answers for each path why it must be rendered, or null when
 * everything it read is as it was. `currentValue` says what a read would give now.
 */
export function findStale(
  trace: Trace | null,
  version: string,
  paths: readonly string[],
  currentValue: (key: string) => string,
): Map<string, Reason | null> {
  const stale = new Map<string, Reason | null>();
  const usable = trace?.version === version ? trace : null;
  const changed = usable?.keys.map((key, index) => currentValue(key) !== usable.values[index]) ?? [];
  for (const path of paths) {
    const reads = usable && Object.hasOwn(usable.pages, path) ? usable.pages[path] : undefined;
    const hits = reads?.filter((index) => changed[index]);
    if (trace && !usable && Object.hasOwn(trace.pages, path)) stale.set(path, { kind: 'version' });
    else if (!usable || !hits) stale.set(path, { kind: 'new' });
    else if (hits.length === 0) stale.set(path, null);
    else stale.set(path, { kind: 'changed', reads: hits.slice(0, maxReasons).map((index) => usable.keys[index]!) });
  }
  return stale;
}

/** Collects the trace of the release that is being built. */
export function createTraceWriter(version: string, currentValue: (key: string) => string) {
  const numbers = new Map<string, number>();
  const trace: Trace = { version, keys: [], values: [], pages: {} };

  function numberOf(key: string): number {
    let index = numbers.get(key);
    if (index === undefined) {
      index = trace.keys.push(key) - 1;
      trace.values.push(currentValue(key));
      numbers.set(key, index);
    }
    return index;
  }

  return {
    /** Records what a page read, in any order, with repeats. */
    add(path: string, reads: Iterable<string>): void {
      trace.pages[path] = [...new Set(reads)].map(numberOf);
    },
    trace,
  };
}

/** The reads of one page of a trace, or none. */
export function readsOf(trace: Trace, path: string): string[] {
  const reads = Object.hasOwn(trace.pages, path) ? trace.pages[path]! : [];
  return reads.map((index) => trace.keys[index]!);
}
