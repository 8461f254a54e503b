import { compareItems, type ItemLists, listItems, patchLists } from '../item-lists.ts';
import type { ItemInput, SiteInput } from '../model.ts';

/** Lists of the items of a site, and what they depend on. */
interface Listed {
  site: string;
  items: readonly ItemInput[];
  lists: ItemLists;
}

/**
 * Creates a renderer's memory for the lists of the items that it keeps (see `createItemReceiver`). `isKept`: some of the
 * items are those of the call before; then only the others are put into its lists.
 */
export function createListKeeper() {
  let last: Listed | null = null;
  return (items: readonly ItemInput[], from: SiteInput, isKept: boolean): ItemLists => {
    const site = JSON.stringify([from.id, from.locales]);
    const known = isKept && last?.site === site ? last : null;
    const lists = known ? patchLists(known.lists, compareItems(known.items, items), from) : listItems(items, from);
    last = { site, items, lists };
    return lists;
  };
}
