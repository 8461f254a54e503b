import { chunkOf, findWhy, type PageWhy, type Trace, type TraceRoot } from '../../build/format.ts';

/** The reasons of a page, if the release has it: then the chunk `chunk` of the trace has the page; null: it has it. */
export interface FoundWhy {
  why: PageWhy;
  chunk: string | null;
}

/** Returns the reasons of a page from the bytes of a trace; null for a path without a page. Runs in a thread for large traces. */
export default function findInTrace({ bytes, path }: { bytes: Uint8Array; path: string }): FoundWhy | null {
  const trace = JSON.parse(new TextDecoder().decode(bytes)) as Trace | TraceRoot;
  if (!('format' in trace)) {
    const why = findWhy(trace, path);
    return why ? { why, chunk: null } : null;
  }
  const chunk = trace.chunks[chunkOf(path, trace.bits)];
  const asPage = { pages: { [path]: [] }, ...(trace.why && { why: trace.why }) };
  return chunk ? { why: findWhy(asPage, path)!, chunk: chunk[0] } : null;
}
