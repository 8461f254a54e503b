import { useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { may, useMe } from '../../../app/session.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { Pending } from '../../../parts/pending.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import { Sheet } from '../../../parts/sheet.tsx';
import sheet from '../content.css?url';
import { strings } from '../strings.ts';
import { useBulkActions } from './bulk.ts';
import { readAllItems, useItems, useLanguages, useTypeNames } from './data.ts';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, useFilters } from './filters.ts';
import { NewItem } from './new-item.tsx';
import { RefusedDialog } from './refused-dialog.tsx';
import { type Range, Rows } from './rows.tsx';
import { useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';

/** The items of a site: found, filtered, and changed several at a time. */
export default function ContentList() {
  const { site } = useParams({ strict: false }) as { site: string };
  const [filters, setFilters] = useFilters();
  const { write: isWriting = false } = useSearch({ strict: false }) as { write?: boolean };
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const client = useQueryClient();
  const selection = useSelection();
  const actions = useBulkActions(site);
  const typeNames = useTypeNames(site);
  const languages = useLanguages(site);
  const items = useItems(site, filters, range.first, range.last);
  const mayWrite = may(useMe(), 'content.write', site) !== 'none';
  const [isNewOpen, setNewOpen] = useState(isWriting);
  // the form opens once, and not again when the user returns to the list
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the URL counts
  useEffect(() => {
    if (!isWriting) return;
    setNewOpen(true);
    setFilters(filters);
  }, [isWriting]);
  const change = (values: Filters) => {
    selection.clear();
    setFilters(values);
  };
  const hasSelection = selection.items.length > 0;
  useEffect(() => {
    if (!hasSelection) return undefined;
    return () => {
      // the focus was in the bar that is gone
      if (document.activeElement !== document.body) return;
      const row = document.querySelector<HTMLElement>('.content-grid [role="row"][tabindex="0"]');
      (row ?? document.querySelector<HTMLElement>('main input[type="search"]'))?.focus();
    };
  }, [hasSelection]);
  const isTrash = filters.status === 'trash';
  const { total } = items;
  return (
    <Page
      title={strings.title}
      lead={<span aria-live="polite">{total === undefined ? ' ' : strings.items(total)}</span>}
      actions={
        mayWrite && (
          <NewItem
            site={site}
            typeNames={typeNames}
            languages={languages}
            isOpen={isNewOpen}
            onOpenChange={setNewOpen}
          />
        )
      }
    >
      <Sheet url={sheet} />
      <FilterBar filters={filters} onChange={change} typeNames={typeNames} languages={languages} />
      {items.error && <ProblemView error={items.error} onRetry={items.retry} />}
      {total === undefined && !items.error && <Pending />}
      {total === 0 && <NoItems filters={filters} />}
      {total !== undefined && total > 0 && (
        <Rows
          key={JSON.stringify(filters)}
          site={site}
          items={items}
          total={total}
          typeNames={typeNames}
          selection={selection}
          onRange={setRange}
          onDelete={(item) => void actions.trash([item])}
          isTrash={isTrash}
        />
      )}
      {mayWrite && hasSelection && (
        <SelectionBar
          selection={selection}
          actions={actions}
          isTrash={isTrash}
          total={total ?? 0}
          readAll={(onProgress) => readAllItems(client, site, filters, onProgress)}
        />
      )}
      {actions.refused.length > 0 && <RefusedDialog refused={actions.refused} onClose={actions.forgetRefused} />}
    </Page>
  );
}

function NoItems({ filters }: { filters: Filters }) {
  if (filters.status === 'trash') return <EmptyState title={strings.trashEmpty} text={strings.trashEmptyText} />;
  if (Object.keys(filters).length > 0) return <EmptyState title={strings.noMatch} text={strings.noMatchText} />;
  return <EmptyState title={strings.noItems} text={strings.noItemsText} />;
}
