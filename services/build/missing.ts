import { type MissingKind, missingNames } from './reads.ts';
import { chunksOf, type Tree } from './release-tree/tree.ts';
import type { Planned } from './render/protocol.ts';
import type { TraceChunk } from './trace.ts';

/** A reference on a published page to something that the site does not have; the page shows nothing there. */
export interface MissingReference {
  page: string;
  /** Position in the page: `body`, `featured_media_id`, `template`, `component {handle}`, `body of {path}`. */
  slot: string;
  kind: MissingKind;
  reference: string;
  message: string;
}

const maxReferences = 100;
const prefix = 'missing:';

const known = new WeakMap<TraceChunk, MissingReference[]>();

/** Returns the missing references of a chunk's pages, which never change. */
function missingIn(chunk: TraceChunk): MissingReference[] {
  const found = known.get(chunk);
  if (found) return found;
  const notes = new Map<number, string>();
  for (const [n, key] of chunk.keys.entries()) if (key.startsWith(prefix)) notes.set(n, key.slice(prefix.length));
  const pages = notes.size > 0 ? Object.entries(chunk.pages) : [];
  const missing = pages.flatMap(([page, reads]) =>
    reads.flatMap((n) => {
      const note = notes.get(n);
      if (note === undefined) return [];
      const [slot, kind, reference] = JSON.parse(note) as [string, MissingKind, string];
      const message = `The page ${page} (${slot}) shows the ${missingNames[kind]} "${reference}", which the site does not have.`;
      return { page, slot, kind, reference, message };
    }),
  );
  known.set(chunk, missing);
  return missing;
}

/**
 * Returns the missing references of a release's pages from the trace, so reused pages are included. At most 100. Feeds
 * are skipped, because they repeat other pages.
 */
export function findMissing(tree: Tree<TraceChunk>, planned: Planned): MissingReference[] {
  return chunksOf(tree)
    .flatMap(missingIn)
    .filter(({ page }) => planned.get(page)?.plan.kind !== 'feed')
    .sort((a, b) => (a.page < b.page ? -1 : a.page > b.page ? 1 : 0))
    .slice(0, maxReferences);
}
