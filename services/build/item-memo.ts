import type { ItemInput } from './model.ts';
import type { PagePlan } from './page-plan.ts';

/** A text that depends on an item and on a few other texts. */
export interface ItemText {
  of: string;
  value: string;
}

/** What follows from an item, and the builds of a worker need again as long as the item does not change. */
export interface ItemMemo {
  /** See `summarize`. */
  summary?: string;
  plan?: { defaultLocale: string; plan: PagePlan };
  /** Digests of the plan of its page, and of its only language version. */
  planDigest?: ItemText;
  versionDigest?: ItemText;
}

/** One map for all of them: the garbage collector visits each entry of such a map separately. */
const memos = new WeakMap<ItemInput, ItemMemo>();

/** Returns what is remembered of an item. Items are the same objects in every build as long as they do not change. */
export function memoOf(item: ItemInput): ItemMemo {
  let memo = memos.get(item);
  if (!memo) {
    memo = {};
    memos.set(item, memo);
  }
  return memo;
}

/** Returns the remembered text if it is that of `of`; otherwise makes and remembers it. */
export function rememberText(
  item: ItemInput,
  name: 'planDigest' | 'versionDigest',
  of: string,
  make: () => string,
): string {
  const memo = memoOf(item);
  const last = memo[name];
  if (last?.of === of) return last.value;
  const value = make();
  memo[name] = { of, value };
  return value;
}
