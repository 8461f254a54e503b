import type { ItemInput, SiteInput } from './model.ts';
import { PatchedMap } from './patched-map.ts';
import { applyEdits, findEdits } from './sorted-edits.ts';
import { createVersionFinder, type VersionFinder } from './translations.ts';

/** The items that differ between two snapshots. */
export interface ChangedItems {
  /** In their earlier state. */
  gone: readonly ItemInput[];
  /** In their present state. */
  fresh: readonly ItemInput[];
}

/** The items that differ between the sources of two releases. Apart from these and media, the sources are equal. */
export interface ItemDifferences extends ChangedItems {
  /** Whether lists show something else: an item was added or removed, or changed in a member that lists show. */
  listsDiffer: boolean;
  /** Whether one of the items belongs to a text in several languages, before or now. */
  versionsDiffer: boolean;
}

/** Items of a snapshot in the lists that builds need. They never change, so that the next build may start from them. */
export interface ItemLists {
  /** All types and locales, newest first, without items in a locale that the site has removed: they have no path. */
  items: ItemInput[];
  byId: PatchedMap<ItemInput>;
  /** By locale, newest first. */
  posts: ReadonlyMap<string, ItemInput[]>;
  /** By locale, oldest first. */
  pages: ReadonlyMap<string, ItemInput[]>;
  versions: VersionFinder;
}

/** Sorts items by publication, then by creation, the newest first. */
export function newestFirst(a: ItemInput, b: ItemInput): number {
  return b.order[0] - a.order[0] || b.order[1] - a.order[1] || (a.id < b.id ? -1 : 1);
}

function oldestFirst(a: ItemInput, b: ItemInput): number {
  return a.order[1] - b.order[1] || (a.id < b.id ? -1 : 1);
}

/** Returns the languages of a site, in its order. */
const localesOf = ({ locales }: SiteInput): string[] => locales.map(({ locale }) => locale);

/** Lists the items of a snapshot. */
export function listItems(all: readonly ItemInput[], site: SiteInput): ItemLists {
  const locales = localesOf(site);
  const shown = new Set(locales);
  const items = all.filter(({ locale }) => shown.has(locale)).sort(newestFirst);
  return {
    items,
    byId: new PatchedMap(new Map(items.map((item) => [item.id, item]))),
    posts: Map.groupBy(
      items.filter(({ type }) => type === 'post'),
      ({ locale }) => locale,
    ),
    pages: Map.groupBy(items.filter(({ type }) => type === 'page').sort(oldestFirst), ({ locale }) => locale),
    versions: createVersionFinder(items, locales),
  };
}

/** Returns lists by locale in which the changed items of one type are replaced. */
function patchLocales(
  lists: ReadonlyMap<string, ItemInput[]>,
  { gone, fresh }: ChangedItems,
  type: string,
  order: (a: ItemInput, b: ItemInput) => number,
): ReadonlyMap<string, ItemInput[]> {
  const ofType = [...gone, ...fresh].filter((item) => item.type === type);
  if (ofType.length === 0) return lists;
  const patched = new Map(lists);
  for (const locale of new Set(ofType.map((item) => item.locale))) {
    const isOne = (item: ItemInput) => item.type === type && item.locale === locale;
    const list = lists.get(locale) ?? [];
    const edits = findEdits(list, { gone: gone.filter(isOne), fresh: fresh.filter(isOne) }, order);
    patched.set(
      locale,
      applyEdits(list, edits, (item) => item),
    );
  }
  return patched;
}

/** Returns whether one of the changed items belongs to a text in several languages, before or now. */
export function areTranslated({ versions }: ItemLists, { gone, fresh }: ChangedItems): boolean {
  // what now names one of these items either is one of them or named it before
  const isTranslated = ({ id, translation_of: original }: ItemInput) => original !== null || versions.isNamed(id);
  return gone.some(isTranslated) || fresh.some(isTranslated);
}

/** Returns those of the changed items that the lists of a site have. */
export function shownOf({ gone, fresh }: ChangedItems, { locales }: Pick<SiteInput, 'locales'>): ChangedItems {
  const isShown = (item: ItemInput) => locales.some(({ locale }) => locale === item.locale);
  return { gone: gone.filter(isShown), fresh: fresh.filter(isShown) };
}

/**
 * Compares two lists of items by identity. They are mostly in the same order, as a worker reads them: then it costs one
 * look at each.
 */
export function compareItems(before: readonly ItemInput[], now: readonly ItemInput[]): ChangedItems {
  const gone = new Set<ItemInput>();
  const fresh = new Set<ItemInput>();
  let [at, nowAt] = [0, 0];
  while (at < before.length || nowAt < now.length) {
    const [known, item] = [before[at], now[nowAt]];
    const isAdded = known === undefined || known === now[nowAt + 1];
    const isRemoved = item === undefined || item === before[at + 1];
    if (known !== item && known && (isRemoved || !isAdded)) gone.add(known);
    if (known !== item && item && (isAdded || !isRemoved)) fresh.add(item);
    if (known === item || isRemoved || !isAdded) at++;
    if (known === item || isAdded || !isRemoved) nowAt++;
  }
  // an item that is in both has another place
  return { gone: [...gone].filter((item) => !fresh.has(item)), fresh: [...fresh].filter((item) => !gone.has(item)) };
}

/** Returns the lists of a snapshot of the same site with other items: what `listItems` returns for all of them. */
export function patchLists(lists: ItemLists, changed: ChangedItems, site: SiteInput): ItemLists {
  const shown = shownOf(changed, site);
  const edits = findEdits(lists.items, shown, newestFirst);
  const items = applyEdits(lists.items, edits, (item) => item);
  return {
    items,
    byId: lists.byId.patch(
      shown.gone.map(({ id }) => id),
      shown.fresh.map((item) => [item.id, item]),
    ),
    posts: patchLocales(lists.posts, shown, 'post', newestFirst),
    pages: patchLocales(lists.pages, shown, 'page', oldestFirst),
    versions: areTranslated(lists, shown) ? createVersionFinder(items, localesOf(site)) : lists.versions,
  };
}
