// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only the rows in view exist cannot be a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows have the focus

import { describeShortTime, describeTime } from '../../../app/format.ts';
import { Time } from '../../../parts/time.tsx';
import type { ListedItem } from '../content-view.ts';
import { nameOfType, strings } from '../strings.ts';
import type { LoadedItems } from './data.ts';
import type { Selection } from './selection.ts';

/** The names of the columns. */
export const Head = ({ items, selection }: { items: LoadedItems; selection: Selection }) => (
  <div role="rowgroup" className="content-head">
    <div role="row" aria-rowindex={1} className="content-row">
      <span role="columnheader">
        <input
          type="checkbox"
          aria-label={strings.selectLoaded}
          checked={items.loaded.length > 0 && items.loaded.every(({ id }) => selection.has(id))}
          onChange={(event) => (event.target.checked ? selection.add(items.loaded) : selection.clear())}
        />
      </span>
      {(['title', 'status', 'type', 'author', 'updated'] as const).map((name) => (
        <span key={name} role="columnheader" className={`content-${name}`}>
          {strings.columns[name]}
        </span>
      ))}
    </div>
  </div>
);

/** The cells of an item. Without `onOpen` its title is not a button. */
export function Cells({
  item,
  typeNames,
  selection,
  onOpen,
}: {
  item: ListedItem;
  typeNames: ReadonlyMap<string, string>;
  selection: Selection;
  onOpen: (() => void) | undefined;
}) {
  const cell = { role: 'gridcell' } as const;
  return (
    <>
      <span {...cell}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={strings.select(item.title)}
          checked={selection.has(item.id)}
          onChange={() => selection.toggle(item)}
        />
      </span>
      <span {...cell} className="content-title">
        {onOpen ? (
          <button type="button" tabIndex={-1} onClick={onOpen}>
            {item.title}
          </button>
        ) : (
          item.title
        )}
        <small>{item.tags.length > 0 ? item.tags.join(', ') : `/${item.slug}`}</small>
      </span>
      <span {...cell} className="content-status">
        <StatusBadge item={item} />
      </span>
      <span {...cell} className="content-type">
        {nameOfType(item.type, typeNames)}
      </span>
      <span {...cell} className="content-author">
        {item.author}
      </span>
      <span {...cell} className="content-updated">
        <Time at={item.updated_at} />
      </span>
    </>
  );
}

/** The status; for a scheduled item also the time at which it is published. */
const StatusBadge = ({ item: { status, scheduled_at: at } }: { item: ListedItem }) => (
  <>
    <span className="status-badge" data-status={status}>
      {strings.statuses[status]}
    </span>
    {status === 'scheduled' && at !== null && (
      <time dateTime={at} title={describeTime(at)}>
        {describeShortTime(at)}
      </time>
    )}
  </>
);
