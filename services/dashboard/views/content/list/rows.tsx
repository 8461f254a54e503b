// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only the rows in view exist cannot be a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows have the focus

import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ListedItem } from '../content-view.ts';
import { strings } from '../strings.ts';
import type { LoadedItems } from './data.ts';
import { Cells, Head } from './row-cells.tsx';
import type { Selection } from './selection.ts';

const rowHeight = 57;
/** With the frame. */
const headHeight = 45;
const beyondView = 12;

/** The rows that are in view, for which items must be loaded. */
export interface Range {
  first: number;
  last: number;
}

/**
 * The list as a grid of which only the rows in view exist. One row has the focus: the arrow keys, Page Up, Page Down, Home and End move it, Space
 * selects, Enter opens, Delete moves to the trash.
 */
export function Rows({
  site,
  items,
  total,
  typeNames,
  selection,
  onRange,
  onDelete,
  isTrash,
}: {
  site: string;
  items: LoadedItems;
  total: number;
  typeNames: ReadonlyMap<string, string>;
  selection: Selection;
  onRange: (range: Range) => void;
  onDelete: (item: ListedItem) => void;
  isTrash: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const hasFocus = useRef(false);
  const navigate = useNavigate();
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: beyondView,
  });
  const visible = rows.getVirtualItems();
  const first = visible[0]?.index ?? 0;
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => onRange({ first, last }), [first, last, onRange]);

  const current = Math.min(active, total - 1);
  useEffect(() => {
    if (hasFocus.current) scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus();
  });

  const move = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index));
    hasFocus.current = true;
    setActive(next);
    rows.scrollToIndex(next);
  };
  const open = (item: ListedItem | undefined) => {
    if (item && !isTrash) void navigate({ to: `/sites/${site}/content/${item.id}` });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).matches('[role="row"]')) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const item = items.at(current);
    const actions = new Map<string, () => unknown>([
      ['ArrowDown', () => move(current + 1)],
      ['ArrowUp', () => move(current - 1)],
      ['PageDown', () => move(current + page)],
      ['PageUp', () => move(current - page)],
      ['Home', () => move(0)],
      ['End', () => move(total - 1)],
      [' ', () => item && selection.toggle(item)],
      ['Enter', () => open(item)],
      ['Delete', () => item && !isTrash && onDelete(item)],
    ]);
    const action = actions.get(event.key);
    if (!action || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    action();
  };

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={strings.table}
      aria-rowcount={total + 1}
      aria-multiselectable
      className="content-grid"
      style={{ maxBlockSize: rows.getTotalSize() + headHeight }}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      <Head items={items} selection={selection} />
      <div role="rowgroup" className="content-rows" style={{ blockSize: rows.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const item = items.at(index);
          return (
            <div
              key={index}
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={item ? selection.has(item.id) : false}
              tabIndex={index === current ? 0 : -1}
              className="content-row"
              style={{ transform: `translateY(${start}px)` }}
              onFocus={() => setActive(index)}
            >
              {item ? (
                <Cells
                  item={item}
                  typeNames={typeNames}
                  selection={selection}
                  onOpen={isTrash ? undefined : () => open(item)}
                />
              ) : (
                <span role="gridcell" className="content-row-pending" />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
