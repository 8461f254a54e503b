import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Status } from '../content-view.ts';

/** What the list is limited to. It is part of the page's URL, so that going back from an item shows the same list. */
export interface Filters {
  q?: string;
  status?: Status | 'trash';
  type?: string;
  tag?: string;
  locale?: string;
}

const names = ['q', 'status', 'type', 'tag', 'locale'] as const;

/** Returns the filters that are set. */
function clean(values: Readonly<Record<string, unknown>>): Filters {
  const entries = names.map((name) => [name, values[name] === undefined ? '' : String(values[name])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Filters;
}

/** The filters in the URL, and the function that changes some of them. */
export function useFilters(): [Filters, (change: Filters) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const filters = clean(search);
  const change = (values: Filters) =>
    void navigate({ to: '.', search: () => clean({ ...filters, ...values }) as never, replace: true });
  return [filters, change];
}
