import { useState } from 'react';
import type { ListedItem } from '../content-view.ts';

/** The selected items. They stay selected when they leave the view. */
export interface Selection {
  items: readonly ListedItem[];
  has(id: string): boolean;
  toggle(item: ListedItem): void;
  add(items: readonly ListedItem[]): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedItem>>(new Map());
  return {
    items: [...selected.values()],
    has: (id) => selected.has(id),
    toggle: (item) =>
      setSelected((before) => {
        const next = new Map(before);
        if (!next.delete(item.id)) next.set(item.id, item);
        return next;
      }),
    add: (items) => setSelected((before) => new Map([...before, ...items.map((item) => [item.id, item] as const)])),
    clear: () => setSelected(new Map()),
  };
}
