import { itemPath } from '../core/public-paths.ts';
import {
  areTranslated,
  type ChangedItems,
  compareItems,
  type ItemDifferences,
  type ItemLists,
  listItems,
  patchLists,
} from './item-lists.ts';
import type { ItemNames } from './item-names.ts';
import type { Sitemap } from './map-files.ts';
import type { BuildTask, ItemInput } from './model.ts';
import { summarize } from './reads.ts';
import type { Planned } from './render/protocol.ts';
import { digest } from './site-index.ts';
import type { SitePages } from './site-pages.ts';

/** What a release is made from. Items are the same objects in every build as long as they do not change. */
export interface Sources {
  /** A digest of everything besides items and media. */
  environment: string;
  items: readonly ItemInput[];
  lists: ItemLists;
}

/**
 * What a release was made from, and what followed from it. Kept in the memory of the worker that made it, so that its next build does
 * only what the changed items cause.
 */
export interface MadeFrom extends Sources {
  pages: SitePages;
  sitemap: Sitemap;
  names: ItemNames;
}

function isSameInLists({ gone, fresh }: ChangedItems): boolean {
  const known = new Map(gone.map((item) => [item.id, summarize(item)]));
  return gone.length === fresh.length && fresh.every((item) => known.get(item.id) === summarize(item));
}

/**
 * Returns what this build makes its release from, and how that differs from what an earlier one was made from; null if it
 * is unknown or more than items and media differ.
 */
export function describeSources(
  { target, inputs }: BuildTask,
  siteUrl: string,
  before: MadeFrom | undefined,
): { sources: Sources; differences: ItemDifferences | null } {
  const { site, shell, components, scripts, items } = inputs;
  const environment = digest([target, siteUrl, site, shell, components, scripts]);
  if (before?.environment !== environment)
    return { sources: { environment, items, lists: listItems(items, site) }, differences: null };
  const changed = compareItems(before.items, items);
  const lists = patchLists(before.lists, changed, site);
  const [listsDiffer, versionsDiffer] = [!isSameInLists(changed), areTranslated(before.lists, changed)];
  return { sources: { environment, items, lists }, differences: { ...changed, listsDiffer, versionsDiffer } };
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
