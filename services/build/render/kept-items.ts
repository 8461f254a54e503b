import { randomUUID } from 'node:crypto';
import type { ItemInput } from '../model.ts';

/** Kept items that follow each other. */
type KeptRun = [first: number, count: number];

/**
 * The items of a snapshot on their way to a renderer that keeps those of its last snapshot: only what changed since is sent
 * whole. Plain data.
 */
export interface SentItems {
  /** Number of parts of the list that were sent before: see `ItemsPart`. */
  parts: number;
  /** The name of the kept items that numbers refer to; null if no items are kept. */
  base: string | null;
  /** Whole items, and runs of kept ones: what follows the parts. */
  list: (ItemInput | KeptRun)[];
  /** The name under which the renderer keeps all of them; null if it keeps none. */
  keepAs: string | null;
}

/** A renderer's memory for a site beyond its builds is limited: larger snapshots are not kept. */
const defaultMaxItems = 150_000;

/**
 * A part of the list that is sent ahead, because a message is copied several times on its way: a list of many items is never
 * in one message.
 */
export interface ItemsPart {
  /** Counted from 0. */
  number: number;
  list: SentItems['list'];
}

const itemsPerPart = 2_000;

/** Returns the parts of items to send ahead, and what to send with the snapshot. */
export function splitItems(items: SentItems): { ahead: ItemsPart[]; rest: SentItems } {
  const parts = Math.max(0, Math.ceil(items.list.length / itemsPerPart) - 1);
  const at = (number: number) => items.list.slice(number * itemsPerPart, (number + 1) * itemsPerPart);
  const ahead = Array.from({ length: parts }, (_, number) => ({ number, list: at(number) }));
  return { ahead, rest: { ...items, parts, list: at(parts) } };
}

interface Sent {
  siteId: string;
  name: string;
  items: readonly ItemInput[];
}

/** Items of an earlier list that are compared with one, before it is looked up. */
const maxAhead = 8;

/**
 * Returns a function that finds the number of an item in an earlier list. It is called for the items of another list, which
 * is mostly in the same order: then it costs one look at each, and numbers of all are written down only after many misses.
 */
function createFinder(earlier: readonly ItemInput[]): (item: ItemInput) => number | undefined {
  const maxMisses = earlier.length / 5_000;
  let next = 0;
  let misses = 0;
  let numbers: Map<ItemInput, number> | null = null;
  return (item) => {
    for (let number = next; number <= next + maxAhead; number++) {
      if (earlier[number] !== item) continue;
      next = number + 1;
      return number;
    }
    if (++misses > maxMisses) numbers ??= new Map(earlier.map((one, number) => [one, number]));
    return numbers?.get(item);
  };
}

function toRuns(items: readonly ItemInput[], earlier: readonly ItemInput[]): SentItems['list'] {
  const find = createFinder(earlier);
  const list: SentItems['list'] = [];
  let run: KeptRun | null = null;
  for (const item of items) {
    const number = find(item);
    if (number !== undefined && run && number === run[0] + run[1]) {
      run[1]++;
      continue;
    }
    run = number === undefined ? null : [number, 1];
    list.push(run ?? item);
  }
  return list;
}

/** Creates the sender for one renderer. Items are the same objects in every build as long as they do not change. */
export function createItemSender(maxItems = defaultMaxItems) {
  let last: Sent | null = null;
  return {
    /** Whether the renderer probably has items of this site. */
    knows: (siteId: string): boolean => last?.siteId === siteId,
    /** Returns what to send; `whole`: although the renderer may have kept some. Call `forget` if it does not arrive. */
    prepare(siteId: string, items: readonly ItemInput[], whole: boolean): SentItems {
      const base = !whole && last?.siteId === siteId ? last : null;
      const list = toRuns(items, base?.items ?? []);
      const name = items.length > maxItems ? null : randomUUID();
      last = name === null ? null : { siteId, name, items };
      return { base: base?.name ?? null, parts: 0, list, keepAs: name };
    },
    forget(): void {
      last = null;
    },
  };
}

export type ItemSender = ReturnType<typeof createItemSender>;

/** Creates the renderer's side, which keeps the items of one snapshot. */
export function createItemReceiver() {
  let kept: { name: string; items: ItemInput[] } | null = null;
  let parts: ItemsPart['list'][] = [];
  return {
    /** Takes a part of the items that the next snapshot refers to. */
    add({ number, list }: ItemsPart): void {
      // those of a build that was stopped are not used
      if (number === 0) parts = [];
      parts.push(list);
    },
    /** Returns the items; null if this process does not have those that they refer to, and they must be sent whole. */
    receive({ base, parts: sent, list, keepAs }: SentItems): ItemInput[] | null {
      const known = kept;
      const ahead = sent === 0 ? [] : parts;
      kept = null;
      parts = [];
      if (ahead.length !== sent || (base !== null && known?.name !== base)) return null;
      const items = [...ahead, list].flatMap((part) =>
        part.flatMap((one) => (Array.isArray(one) ? known!.items.slice(one[0], one[0] + one[1]) : one)),
      );
      if (keepAs !== null) kept = { name: keepAs, items };
      return items;
    },
  };
}
