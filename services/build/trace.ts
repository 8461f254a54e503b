import { maxReasons, type Reason, type Why } from './why.ts';

/**
 * What every page of a release read while it was rendered. A read has one value per release, so values are stored once
 * and pages refer to them by index.
 */
export interface Trace {
  /** Changes when the meaning of reads changes; a trace of another version is not used. */
  version: string;
  keys: string[];
  values: string[];
  /** By page path, indexes into `keys`. */
  pages: Record<string, number[]>;
  /** Releases made before this was kept lack it. */
  why?: Why;
}

/**
 * Compares a release's trace with the current state. Returns for each path why it must be rendered, or null when
 * everything it read is unchanged. `currentValue` returns the current value of a read.
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
    const isCurrent = reads && !reads.some((index) => changed[index]);
    if (isCurrent) stale.set(path, null);
    else if (trace && !usable && Object.hasOwn(trace.pages, path)) stale.set(path, { kind: 'version' });
    else if (!usable || !reads) stale.set(path, { kind: 'new' });
    else {
      const hits = reads.filter((index) => changed[index]).slice(0, maxReasons);
      stale.set(path, { kind: 'changed', reads: hits.map((index) => usable.keys[index]!) });
    }
  }
  return stale;
}

/** Creates a writer that collects the trace of the release being built. */
export function createTraceWriter(version: string, currentValue: (key: string) => string) {
  const numbers = new Map<string, number>();
  const trace: Trace = { version, keys: [], values: [], pages: {} };
  /** By earlier trace: the numbers of its keys in this one plus one, and 0 for keys that this one does not have yet. */
  const translated = new Map<Trace, Int32Array>();

  function numberOf(key: string, knownValue?: string): number {
    let index = numbers.get(key);
    if (index === undefined) {
      index = trace.keys.push(key) - 1;
      trace.values.push(knownValue ?? currentValue(key));
      numbers.set(key, index);
    }
    return index;
  }

  return {
    /** Records what a page read, in any order, with repeats. */
    add(path: string, reads: Iterable<string>): void {
      trace.pages[path] = [...new Set(reads)].map((key) => numberOf(key));
    },
    /**
     * Copies the reads of a page that an earlier release supplies, whose values are therefore the current ones; none for an
     * unknown page. Costs little where the numbers of both traces agree, as in a release with few changes.
     */
    copy(path: string, from: Trace): void {
      let numbersOf = translated.get(from);
      if (!numbersOf) {
        numbersOf = new Int32Array(from.keys.length);
        translated.set(from, numbersOf);
      }
      const reads = Object.hasOwn(from.pages, path) ? from.pages[path]! : [];
      let isSame = true;
      for (const read of reads) {
        if (numbersOf[read] === 0) numbersOf[read] = numberOf(from.keys[read]!, from.values[read]) + 1;
        if (numbersOf[read] !== read + 1) isSame = false;
      }
      trace.pages[path] = isSame ? reads : reads.map((read) => numbersOf[read]! - 1);
    },
    trace,
  };
}
