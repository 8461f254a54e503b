import { findWhy, type PageWhy, type Trace } from '../../build/format.ts';

/** Returns the reasons of a page from the bytes of a trace; null for a path without a page. Runs in a thread for large traces. */
export default function findInTrace({ bytes, path }: { bytes: Uint8Array; path: string }): PageWhy | null {
  return findWhy(JSON.parse(new TextDecoder().decode(bytes)) as Trace, path) ?? null;
}
