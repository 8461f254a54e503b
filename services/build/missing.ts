import { type MissingKind, missingNames } from './reads.ts';
import type { PlannedPage } from './render/protocol.ts';
import type { Trace } from './trace.ts';

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

/**
 * Returns the missing references of a release's pages from the trace, so reused pages are included. At most 100. Feeds
 * are skipped, because they repeat other pages.
 */
export function findMissing(trace: Trace, pages: readonly PlannedPage[]): MissingReference[] {
  const notes = new Map<number, string>();
  for (const [n, key] of trace.keys.entries()) if (key.startsWith(prefix)) notes.set(n, key.slice(prefix.length));
  if (notes.size === 0) return [];
  return pages
    .filter(({ plan }) => plan.kind !== 'feed')
    .flatMap(({ plan: { path: page } }) =>
      (trace.pages[page] ?? []).flatMap((n) => {
        const note = notes.get(n);
        if (note === undefined) return [];
        const [slot, kind, reference] = JSON.parse(note) as [string, MissingKind, string];
        const message = `The page ${page} (${slot}) shows the ${missingNames[kind]} "${reference}", which the site does not have.`;
        return { page, slot, kind, reference, message };
      }),
    )
    .slice(0, maxReferences);
}
