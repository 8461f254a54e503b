import { itemPath } from '../core/public-paths.ts';
import type { BuildTask, ItemInput } from './model.ts';
import { summarize } from './reads.ts';
import type { Planned } from './render/protocol.ts';
import { digest, newestFirst } from './site-index.ts';

/**
 * What a release was made from. Kept in the memory of the worker that made it, so that its next build does only what the
 * changed items cause. Items are the same objects in every build as long as they do not change.
 */
export interface MadeFrom {
  /** A digest of everything besides items and media. */
  environment: string;
  items: ReadonlySet<ItemInput>;
  /** The items, newest first. */
  sorted: readonly ItemInput[];
}

/** The items that differ between the sources of two releases, which are equal besides these and media. */
export interface ItemDifferences {
  /** In their earlier state. */
  gone: readonly ItemInput[];
  /** In their present state. */
  fresh: readonly ItemInput[];
  /** Whether lists show something else: an item was added or removed, or changed in a member that lists show. */
  listsDiffer: boolean;
  /** Whether one of the items belongs to a text in several languages, before or now. */
  versionsDiffer: boolean;
}

function missingIn(items: Iterable<ItemInput>, others: ReadonlySet<ItemInput>): ItemInput[] {
  const missing: ItemInput[] = [];
  for (const item of items) if (!others.has(item)) missing.push(item);
  return missing;
}

function isSameInLists(gone: readonly ItemInput[], fresh: readonly ItemInput[]): boolean {
  const known = new Map(gone.map((item) => [item.id, summarize(item)]));
  return gone.length === fresh.length && fresh.every((item) => known.get(item.id) === summarize(item));
}

function areTranslated(changed: readonly ItemInput[], all: readonly Iterable<ItemInput>[]): boolean {
  if (changed.some(({ translation_of: original }) => original !== null)) return true;
  const ids = new Set(changed.map(({ id }) => id));
  for (const items of all)
    for (const { translation_of: original } of items) if (original !== null && ids.has(original)) return true;
  return false;
}

/** Returns sorted items without `gone` and with `fresh`. */
function mergeSorted(
  sorted: readonly ItemInput[],
  { gone, fresh }: Pick<ItemDifferences, 'gone' | 'fresh'>,
): ItemInput[] {
  const removed = new Set(gone);
  const kept = removed.size > 0 ? sorted.filter((item) => !removed.has(item)) : sorted;
  const merged: ItemInput[] = [];
  let next = 0;
  for (const item of fresh.toSorted(newestFirst)) {
    while (next < kept.length && newestFirst(kept[next]!, item) < 0) merged.push(kept[next++]!);
    merged.push(item);
  }
  while (next < kept.length) merged.push(kept[next++]!);
  return merged;
}

/**
 * Returns what this build makes its release from, and how that differs from what an earlier one was made from; null if it
 * is unknown or more than items and media differ.
 */
export function describeSources(
  { target, inputs }: BuildTask,
  siteUrl: string,
  before: MadeFrom | undefined,
): { madeFrom: MadeFrom; differences: ItemDifferences | null } {
  const { site, shell, components, scripts } = inputs;
  const environment = digest([target, siteUrl, site, shell, components, scripts]);
  const items = new Set(inputs.items);
  if (before?.environment !== environment)
    return { madeFrom: { environment, items, sorted: inputs.items.toSorted(newestFirst) }, differences: null };
  const [gone, fresh] = [missingIn(before.sorted, items), missingIn(inputs.items, before.items)];
  const differences = {
    gone,
    fresh,
    listsDiffer: !isSameInLists(gone, fresh),
    versionsDiffer: areTranslated([...gone, ...fresh], [before.sorted, inputs.items]),
  };
  return { madeFrom: { environment, items, sorted: mergeSorted(before.sorted, differences) }, differences };
}

/** Kinds of reads that depend only on the environment, and notes, which never change. */
const fixedKinds: ReadonlySet<string> = new Set(['shell', 'component', 'missing']);
const listKinds: ReadonlySet<string> = new Set(['posts', 'archive', 'pages', 'post-count']);

/** Returns which reads may have other values, given the differences. `planned`: the pages of this build. */
export function readsThatMayDiffer(
  { gone, fresh, listsDiffer, versionsDiffer }: ItemDifferences,
  { inputs: { site } }: BuildTask,
  planned: Planned,
): (key: string) => boolean {
  const changed = [...gone, ...fresh];
  const ids = new Set(changed.map(({ id }) => id));
  const paths = new Set(changed.map((item) => itemPath(item, site)));
  const own = new Set([
    ...[...ids].flatMap((id) => [`item:${id}`, `translations:${id}`]),
    ...[...paths].map((path) => `plan:${path}`),
  ]);
  // the usual case, for which the kinds of 500,000 keys need not be read
  if (!listsDiffer && !versionsDiffer) return (key) => own.has(key) || key.startsWith('media:');

  function planDiffers(path: string): boolean {
    const itemId = planned.get(path)?.plan.itemId;
    // a page of the site itself depends on the number of posts
    return typeof itemId === 'string' ? ids.has(itemId) : listsDiffer;
  }

  return (key) => {
    if (own.has(key)) return true;
    const colon = key.indexOf(':');
    if (colon < 0) return false; // the environment
    const kind = key.slice(0, colon);
    if (kind === 'item' || fixedKinds.has(kind)) return false;
    if (kind === 'translations') return versionsDiffer;
    if (listKinds.has(kind)) return listsDiffer;
    return kind === 'plan' ? planDiffers(key.slice(colon + 1)) : true;
  };
}
