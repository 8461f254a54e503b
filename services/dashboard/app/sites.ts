import { useQuery } from '@tanstack/react-query';
import { dataOf, type Page, pageOf, rest } from './api.ts';

/** The sites on which the person has a role, at most 1,000, by name. */
export const useSites = () =>
  useQuery({
    queryKey: ['sites'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const read = (page: number) => pageOf(rest.GET('/sites', { params: { query: { per_page: 100, page } }, signal }));
      const first = await read(1);
      const later: Page<(typeof first.data)[number]>[] = [];
      for (let page = 2; page <= Math.min(10, first.pagination.total_pages); page++) later.push(await read(page));
      return [first, ...later].flatMap(({ data }) => data).sort((a, b) => a.name.localeCompare(b.name));
    },
  });

/** The record of a site. */
export const useSite = (site: string) =>
  useQuery({
    queryKey: ['sites', site],
    queryFn: ({ signal }) => dataOf(rest.GET('/sites/{site}', { params: { path: { site } }, signal })),
  });
