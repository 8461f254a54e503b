import type { ItemInput } from './model.ts';

/**
 * Groups items that are one text in several languages: those connected by `translation_of`, directly or through other
 * items. After a site's default locale changes, new translations name another item than old ones. An item that is named
 * but not published still connects those that name it.
 */
function groupByText(items: readonly ItemInput[]): Map<string, ItemInput[]> {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    for (let at = id; at !== root; ) {
      const next = parents.get(at)!;
      parents.set(at, root); // path compression, so that long chains stay cheap
      at = next;
    }
    return root;
  };
  for (const { id, translation_of: original } of items) {
    if (original === null) continue;
    const [from, to] = [rootOf(id), rootOf(original)];
    if (from !== to) parents.set(from, to);
  }
  return Map.groupBy(items, ({ id }) => rootOf(id));
}

/** Finds the language versions of items. */
export interface VersionFinder {
  (item: ItemInput): ItemInput[];
  /** Whether an item names this one as the original of a translation. */
  isNamed(id: string): boolean;
}

/**
 * Creates a function that returns the language versions of an item, in the order of `locales`: in its own locale the
 * item itself, in every other locale the item that others name, else the first of `items`.
 */
export function createVersionFinder(items: readonly ItemInput[], locales: readonly string[]): VersionFinder {
  const named = new Set(items.map(({ translation_of: original }) => original));
  const connected = items.filter(({ id, translation_of: original }) => original !== null || named.has(id));
  const groupOf = new Map<string, Map<string, ItemInput>>();
  for (const group of groupByText(connected).values()) {
    const byLocale = new Map<string, ItemInput>();
    for (const item of group) {
      const chosen = byLocale.get(item.locale);
      if (!chosen || (named.has(item.id) && !named.has(chosen.id))) byLocale.set(item.locale, item);
    }
    for (const { id } of group) groupOf.set(id, byLocale);
  }
  const versionsOf = (item: ItemInput): ItemInput[] =>
    locales.flatMap((locale) => (locale === item.locale ? item : (groupOf.get(item.id)?.get(locale) ?? [])));
  return Object.assign(versionsOf, { isNamed: (id: string) => named.has(id) });
}
