import { type MissingKind, missingNames } from './reads.ts';
import type { PageOrder } from './render/protocol.ts';
import type { Trace } from './trace.ts';

/** Something that a published page refers to though the site does not have it: nothing stands in its place. */
export interface MissingReference {
  page: string;
  /** Where in the page: `body`, `featured_media_id`, `template`, `component {handle}`, `body of {path}`. */
  slot: string;
  kind: MissingKind;
  reference: string;
  message: string;
}

const maxReferences = 100;
const prefix = 'missing:';

/**
 * What pages of a release miss, also those that were taken over from an earlier one: a page's trace remembers it. At most 100;
 * feeds repeat what pages show.
 */
export function findMissing(trace: Trace, orders: readonly PageOrder[]): MissingReference[] {
  const notes = new Map<number, string>();
  for (const [n, key] of trace.keys.entries()) if (key.startsWith(prefix)) notes.set(n, key.slice(prefix.length));
  if (notes.size === 0) return [];
  return orders
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
