import { keepPreviousData, type QueryClient, useQueries, useQuery } from '@tanstack/react-query';
import { pageOf, rest } from '../../../app/api.ts';
import { useSite } from '../../../app/sites.ts';
import { itemsPerPage, type ListedItem, listedMembers } from '../content-view.ts';
import type { Filters } from './filters.ts';

/** The key of everything that lists items of a site; invalidating it reads the lists again. */
export const listKey = (site: string) => ['content', site, 'list'] as const;

const pageQuery = (site: string, { status, ...filters }: Filters, page: number) => ({
  queryKey: [...listKey(site), { status, ...filters }, page],
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const query = { page, per_page: itemsPerPage, fields: [...listedMembers] };
    if (status === 'trash')
      return pageOf<ListedItem>(rest.GET('/sites/{site}/content/trash', { params: { path: { site }, query }, signal }));
    const filtered = { ...query, ...filters, ...(status ? { status } : {}) };
    return pageOf<ListedItem>(
      rest.GET('/sites/{site}/content', { params: { path: { site }, query: filtered }, signal }),
    );
  },
});

/** Reads every item that matches, a page after the other; `onProgress` is called with their number so far. */
export async function readAllItems(
  client: QueryClient,
  site: string,
  filters: Filters,
  onProgress: (count: number) => void,
): Promise<ListedItem[]> {
  const items = new Map<string, ListedItem>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination } = await client.fetchQuery(pageQuery(site, filters, page));
    for (const item of data) items.set(item.id, item);
    pages = pagination.total_pages;
    onProgress(items.size);
  }
  return [...items.values()];
}

/** The items of a list as far as they are loaded. */
export interface LoadedItems {
  total: number | undefined;
  /** The item at an index of the list; undefined while it is loaded. */
  at(index: number): ListedItem | undefined;
  /** All items that are loaded. */
  loaded: readonly ListedItem[];
  error: Error | null;
  retry(): void;
}

/** Loads the pages of the list that contain the items from `first` to `last`. */
export function useItems(site: string, filters: Filters, first: number, last: number): LoadedItems {
  const start = useQuery({ ...pageQuery(site, filters, 1), placeholderData: keepPreviousData });
  const pageOfIndex = (index: number) => Math.floor(index / itemsPerPage) + 1;
  const from = Math.max(2, pageOfIndex(first));
  const count = Math.max(0, pageOfIndex(Math.max(first, last)) - from + 1);
  const later = useQueries({
    queries: Array.from({ length: count }, (_, index) => pageQuery(site, filters, from + index)),
  });
  const pages = new Map([
    [1, start.data?.data ?? []],
    ...later.map((query, index) => [from + index, query.data?.data ?? []] as const),
  ]);
  return {
    total: start.data?.pagination.total,
    at: (index) => pages.get(pageOfIndex(index))?.[index % itemsPerPage],
    loaded: [...pages.values()].flat(),
    error: start.error ?? later.find(({ error }) => error)?.error ?? null,
    retry: () => void Promise.all([start, ...later].map((query) => query.refetch())),
  };
}

/** The names of the site's types. The two that every site has need no record. */
export function useTypeNames(site: string): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['types', site],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await pageOf(rest.GET('/sites/{site}/types', { params: { path: { site }, query: { per_page: 100 } }, signal })))
        .data,
  });
  const own = (data ?? []).map(({ type, name }) => [type, name] as const);
  return new Map([['post', 'Post'], ['page', 'Page'], ...own]);
}

/** The languages of the site, the default one first. */
export function useLanguages(site: string): readonly string[] {
  const { data } = useSite(site);
  if (!data) return [];
  return [data.default_locale, ...data.locales.filter((locale) => locale !== data.default_locale)];
}
