import createFetchClient from 'openapi-fetch';
import type { paths } from '../../client/schema.ts';
import { fetchOnce } from './first-reads.ts';
import { readProblem, toProblem } from './problem.ts';

/** A page of a list. */
export interface Page<T> {
  data: T[];
  pagination: { total: number; page: number; per_page: number; total_pages: number };
}

/**
 * Every route of the REST API, called with the session: the same paths, bodies and replies (docs/api.md). Rejects with a Problem.
 * `rest.GET('/sites/{site}/content', { params: { path: { site }, query: { page: 2 } } })`; `dataOf` and `pageOf` take the reply apart.
 */
export const rest = createFetchClient<paths>({
  baseUrl: '/dashboard/api/v1',
  fetch: fetchOnce,
  querySerializer: { array: { style: 'form', explode: false } },
});
rest.use({
  async onResponse({ response }) {
    if (!response.ok) throw await readProblem(response);
  },
  onError: ({ error }) => toProblem(error),
});

/** Returns the record of a reply. */
export async function dataOf<T>(reply: Promise<{ data?: { data: T } }>): Promise<T> {
  return (await reply).data!.data;
}

/** Returns the record of a reply, and its entity tag for `If-Match`. */
export async function taggedDataOf<T>(
  reply: Promise<{ data?: { data: T }; response: Response }>,
): Promise<{ data: T; etag: string | null }> {
  const { data, response } = await reply;
  return { data: data!.data, etag: response.headers.get('ETag') };
}

/** Returns the headers of a change that is refused with 412 if the record has another tag; without a tag, it is never refused. */
export const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'If-Match': etag });

/** Returns a page of a list. */
export async function pageOf<T>(reply: Promise<{ data?: Page<T> }>): Promise<Page<T>> {
  const { data, pagination } = (await reply).data!;
  return { data, pagination };
}

/**
 * Calls a route of the dashboard's own (`dashboardRoute`), below `/dashboard/api`, and returns the record of the reply. Rejects with a
 * Problem. `T` is the type of the route's reply schema.
 */
export async function callOwn<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  const request = new Request(`/dashboard/api${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const response = await fetchOnce(request).catch((error: unknown) => {
    throw toProblem(error);
  });
  if (!response.ok) throw await readProblem(response);
  return ((await response.json()) as { data: T }).data;
}
