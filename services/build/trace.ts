import type { Why } from './why.ts';

/**
 * What pages read while they were rendered. A read has one value per release, so values are stored once per chunk and
 * pages refer to them by index.
 */
export interface TraceChunk {
  keys: string[];
  values: string[];
  /** By page path, indexes into `keys`. */
  pages: Record<string, number[]>;
}

/** A trace that is one document, as earlier versions wrote it. */
export interface Trace extends TraceChunk {
  version: string;
  why?: Why;
}

/** Which reads may have changed since a release was made; the others are known to be the same. */
export type MayDiffer = (key: string) => boolean;

/** Whether a read of a chunk has the same value now. `currentValue` returns the current value of a read. */
export function isSameRead(
  { keys, values }: TraceChunk,
  number: number,
  currentValue: (key: string) => string,
): boolean {
  return currentValue(keys[number]!) === values[number];
}

/**
 * Compares the reads of a chunk with the current state. Returns the pages for which one differs, with the keys of the
 * reads that do. `currentValue` returns the current value of a read.
 */
export function findStale(
  chunk: TraceChunk,
  currentValue: (key: string) => string,
  mayDiffer: MayDiffer = () => true,
): Map<string, string[]> {
  const { keys, pages } = chunk;
  const changed = new Set<number>();
  // no iterator, because a large site has half a million keys
  for (let number = 0; number < keys.length; number++)
    if (mayDiffer(keys[number]!) && !isSameRead(chunk, number, currentValue)) changed.add(number);
  const stale = new Map<string, string[]>();
  if (changed.size === 0) return stale;
  for (const [path, reads] of Object.entries(pages)) {
    const hits = reads.filter((number) => changed.has(number));
    if (hits.length > 0)
      stale.set(
        path,
        hits.map((number) => keys[number]!),
      );
  }
  return stale;
}

/** Creates a writer that collects the reads of the pages of a chunk. */
export function createTraceWriter(currentValue: (key: string) => string) {
  const numbers = new Map<string, number>();
  const chunk: TraceChunk = { keys: [], values: [], pages: {} };

  function numberOf(key: string, knownValue?: string): number {
    let index = numbers.get(key);
    if (index === undefined) {
      index = chunk.keys.push(key) - 1;
      chunk.values.push(knownValue ?? currentValue(key));
      numbers.set(key, index);
    }
    return index;
  }

  return {
    /** Records what a page read, in any order, with repeats. */
    add(path: string, reads: Iterable<string>): void {
      chunk.pages[path] = [...new Set(reads)].map((key) => numberOf(key));
    },
    /**
     * Copies the reads of a page that an earlier release supplies, whose values are therefore the current ones; none for an
     * unknown page.
     */
    copy(path: string, from: TraceChunk | undefined): void {
      const reads = from && Object.hasOwn(from.pages, path) ? from.pages[path]! : [];
      chunk.pages[path] = reads.map((read) => numberOf(from!.keys[read]!, from!.values[read]));
    },
    chunk,
  };
}
