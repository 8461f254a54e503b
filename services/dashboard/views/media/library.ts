import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Page, pageOf, rest } from '../../app/api.ts';
import { libraryKey, type Media } from '../../app/media.ts';

export type Kind = Media['kind'];

/** How often items that are in progress are read again, in milliseconds. */
export const pollMs = 1_500;
const perPage = 40;

/** A page of the library or of the trash. */
export const useLibrary = (site: string, place: 'library' | 'describe' | 'trash', kind: Kind | 'all', page: number) =>
  useQuery({
    queryKey: [...libraryKey(site), place, kind, page],
    queryFn: ({ signal }): Promise<Page<Media>> =>
      place === 'trash'
        ? pageOf(
            rest.GET('/sites/{site}/media/trash', {
              params: { path: { site }, query: { page, per_page: perPage } },
              signal,
            }),
          )
        : pageOf(
            rest.GET('/sites/{site}/media', {
              params: {
                path: { site },
                query: {
                  page,
                  per_page: perPage,
                  ...(kind === 'all' ? {} : { kind }),
                  ...(place === 'describe' ? { alt: 'missing' } : {}),
                },
              },
              signal,
            }),
          ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'processing') ? pollMs : false),
  });

/** Moves an item to the trash, or back to the library. */
export async function setTrashed(site: string, id: string, isTrashed: boolean): Promise<void> {
  const params = { path: { site, id } };
  if (isTrashed) await rest.DELETE('/sites/{site}/media/{id}', { params });
  else await rest.POST('/sites/{site}/media/{id}/restore', { params });
}
