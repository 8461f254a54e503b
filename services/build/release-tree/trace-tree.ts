import { type ReadBytes, readDocument } from '../documents.ts';
import { createTraceWriter, type Trace, type TraceChunk } from '../trace.ts';
import type { Why } from '../why.ts';
import { type ChunkStore, loadTree, storeTree } from './store-tree.ts';
import { chunkAt, chunksOf, patchTree, type StoredTree, type Tree } from './tree.ts';

/** A trace in memory. Releases share the chunks that they have in common. */
export interface TraceTree {
  /** Changes when the meaning of reads changes; a trace of another version is not used. */
  version: string;
  tree: Tree<TraceChunk>;
  /** Releases made before this was kept lack it. */
  why?: Why;
}

/** A trace whose pages are in chunks of their own. Earlier versions of the service read it as a trace without pages. */
export interface TraceRoot extends StoredTree, Trace {
  format: 2;
}

/** The reads of a page that a build adds or replaces: its own, or those in an earlier release. */
export type WrittenReads = { reads: Iterable<string> } | { from: TraceChunk | undefined };

const pathsOf = ({ pages }: TraceChunk) => Object.keys(pages);

/** Returns the pages of `base`, without `removed` and with `written`. `currentValue` returns the value of a read in this build. */
export function patchReads(
  base: Tree<TraceChunk> | null,
  written: ReadonlyMap<string, WrittenReads>,
  removed: ReadonlySet<string>,
  currentValue: (key: string) => string,
): Tree<TraceChunk> {
  return patchTree(
    base,
    { written: written.keys(), removed },
    {
      pathsOf,
      hasPath: ({ pages }, path) => Object.hasOwn(pages, path),
      write(paths, earlier) {
        const writer = createTraceWriter(currentValue);
        for (const path of paths) {
          const page = written.get(path) ?? { from: earlier(path) };
          if ('from' in page) writer.copy(path, page.from);
          else writer.add(path, page.reads);
        }
        return writer.chunk;
      },
    },
  );
}

const counts = new WeakMap<TraceChunk, number>();

/** Returns the number of pages. */
export function countTracedPages(tree: Tree<TraceChunk>): number {
  return chunksOf(tree).reduce((sum, chunk) => {
    const count = counts.get(chunk) ?? pathsOf(chunk).length;
    counts.set(chunk, count);
    return sum + count;
  }, 0);
}

/** Returns the numbers of a page's reads in its chunk, with that chunk; undefined if the release does not have the page. */
export function readsAt(tree: Tree<TraceChunk>, path: string): { chunk: TraceChunk; reads: number[] } | undefined {
  const chunk = chunkAt(tree, path);
  return chunk && Object.hasOwn(chunk.pages, path) ? { chunk, reads: chunk.pages[path]! } : undefined;
}

/** Returns a trace as one document, sorted by path. */
export function toTrace({ tree, ...head }: TraceTree): Trace {
  const writer = createTraceWriter((key) => {
    throw new Error(`The trace has no value of ${key}.`);
  });
  const all = chunksOf(tree).flatMap((chunk) => pathsOf(chunk).map((path) => ({ path, chunk })));
  all.sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, chunk } of all) writer.copy(path, chunk);
  return { ...head, ...writer.chunk };
}

/** Stores the chunks that are new. Returns the trace with their places, its root document, and the new places. */
export async function storeTrace(store: ChunkStore, { tree: open, ...head }: TraceTree) {
  const { tree, stored, added } = await storeTree(store, open);
  const root: TraceRoot = { format: 2, ...head, keys: [], values: [], pages: {}, ...stored };
  return { trace: { ...head, tree }, root, added };
}

/** Reads a trace of any format. Throws MissingObject. */
export async function readTraceTree(objects: ReadBytes, hash: string): Promise<TraceTree> {
  const document = await readDocument<Trace | TraceRoot>(objects, hash);
  const head = { version: document.version, ...(document.why && { why: document.why }) };
  if ('format' in document) return { ...head, tree: await loadTree(objects, document) };
  const { keys, values, pages } = document;
  return { ...head, tree: { bits: 0, leaves: [{ content: { keys, values, pages }, place: null }] } };
}
