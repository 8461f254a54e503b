import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { rightsRecord } from '../../../../features/content/rights/dashboard-schema.ts';
import { callOwn, ifMatch, pageOf, rest, taggedDataOf } from '../../../app/api.ts';
import { toProblem } from '../../../app/problem.ts';
import type { ContentType, Draft, Item } from '../content-view.ts';
import type { DraftRequests, Members, Tagged } from './draft-session.ts';

/** The key of everything about one item; it is below that of the site's content. */
export const itemKey = (site: string, id: string) => ['content', site, 'item', id] as const;

/** Whether the person may change an item, why not, and whether it has a draft. */
export type Rights = z.output<typeof rightsRecord>;

const rightsQuery = (site: string, id: string) => ({
  queryKey: [...itemKey(site, id), 'rights'],
  queryFn: () => callOwn<Rights>('GET', `/sites/${site}/content/${id}/rights`),
});

export const useRights = (site: string, id: string) => useQuery(rightsQuery(site, id));

/** The requests about one item and its draft. */
export function createDraftRequests(
  site: string,
  id: string,
  readRights: () => Promise<Rights> = () => rightsQuery(site, id).queryFn(),
): DraftRequests {
  const params = { path: { site, id } };
  const draft = '/sites/{site}/content/{id}/draft' as const;
  return {
    readItem: () => taggedDataOf<Item>(rest.GET('/sites/{site}/content/{id}', { params })),
    async readDraft() {
      // a request for a draft that does not exist is 404, which browsers report as an error
      if (!(await readRights()).has_draft) return null;
      return taggedDataOf<Draft>(rest.GET(draft, { params })).catch((error: unknown) => {
        if (toProblem(error).status === 404) return null;
        throw error;
      });
    },
    putDraft: (members: Members, etag, isNew) => {
      const headers = isNew ? { 'If-None-Match': '*' } : ifMatch(etag);
      return taggedDataOf<Draft>(rest.PUT(draft, { params, body: members as never, headers }));
    },
    deleteDraft: async (etag) => {
      await rest.DELETE(draft, { params, headers: ifMatch(etag) });
    },
    applyDraft: (etag) => taggedDataOf<Item>(rest.POST(`${draft}/apply`, { params, headers: ifMatch(etag) })),
  };
}

/** An item and its draft as they are stored when the page opens. */
export function useStored(site: string, id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: [...itemKey(site, id), 'stored'],
    // the session of the page has what comes after
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async (): Promise<{ item: Tagged<Item>; draft: Tagged<Draft> | null }> => {
      // not from the cache: this page may have saved a draft moments ago
      const requests = createDraftRequests(site, id, () =>
        client.fetchQuery({ ...rightsQuery(site, id), staleTime: 0 }),
      );
      const [item, draft] = await Promise.all([requests.readItem(), requests.readDraft()]);
      return { item, draft };
    },
  });
}

/** The type of an item; undefined if the site has no schema for it. */
export function useContentType(site: string, type: string): ContentType | undefined {
  const { data } = useQuery({
    queryKey: ['types', site, 'schemas'],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await pageOf(rest.GET('/sites/{site}/types', { params: { path: { site }, query: { per_page: 100 } }, signal })))
        .data,
  });
  return data?.find((record) => record.type === type);
}
