import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { rest, taggedDataOf } from '../../app/api.ts';
import { toProblem } from '../../app/problem.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

export type Site = components['schemas']['Site'];
export type SiteChange = components['schemas']['UpdateSiteBody'];

/** `version` changes when forms must show the record again: after an undo and when somebody else's version is shown. */
export type Tagged = { data: Site; etag: string | null; version: number };

const taggedKey = (site: string) => ['sites', site, 'tagged'] as const;

const readTagged = async (site: string, signal?: AbortSignal): Promise<Tagged> => ({
  ...(await taggedDataOf<Site>(rest.GET('/sites/{site}', { params: { path: { site } }, ...(signal && { signal }) }))),
  version: Date.now(),
});

/**
 * The site with its entity tag, as the page was opened: what somebody else changes later is not read by itself, so that a save finds it.
 * `pollMs`: reads it again at this interval.
 */
export const useTaggedSite = (site: string, pollMs: (site: Site) => number | false = () => false) =>
  useQuery({
    queryKey: taggedKey(site),
    queryFn: ({ signal }) => readTagged(site, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? pollMs(state.data.data) : false),
  });

/** Shows the stored record in place of what the page has. */
export async function reloadSite(client: QueryClient, site: string): Promise<void> {
  client.setQueryData<Tagged>(taggedKey(site), await readTagged(site));
}

/** Returns the members of `before` that `change` replaces: what undoes it. A setting that did not exist is removed again. */
export function reverseOf(before: Site, change: SiteChange): SiteChange {
  const { settings, ...members } = change;
  const back = Object.fromEntries(Object.keys(members).map((name) => [name, before[name as keyof Site]]));
  if (!settings) return back;
  const names = Object.keys(settings);
  return { ...back, settings: Object.fromEntries(names.map((name) => [name, before.settings[name] ?? null])) };
}

/**
 * Returns the function that changes a site and says so, with a way to undo it. It rejects with 412 if somebody else has changed the site
 * since it was read, unless `isForced`. With `reloadsOnConflict` the page then shows the stored site, for another attempt.
 */
export function useChangeSite(site: string, { reloadsOnConflict = false } = {}) {
  const client = useQueryClient();
  const patch = async (body: SiteChange, ifMatch: string | null, version: number): Promise<void> => {
    const headers = ifMatch === null ? {} : { headers: { 'If-Match': ifMatch } };
    const request = rest.PATCH('/sites/{site}', { params: { path: { site } }, body, ...headers });
    client.setQueryData<Tagged>(taggedKey(site), { ...(await taggedDataOf<Site>(request)), version });
    const isList = (key: readonly unknown[]) => key.length === 1 || (key.length === 2 && key[1] === site);
    await client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'sites' && (isList(queryKey) || queryKey[2] === 'languages'),
    });
  };
  return async (
    body: SiteChange,
    { text = strings.saved as string, isForced = false, canUndo = true } = {},
  ): Promise<void> => {
    const before = client.getQueryData<Tagged>(taggedKey(site))!;
    await patch(body, isForced ? null : before.etag, before.version).catch(async (error: unknown) => {
      if (reloadsOnConflict && toProblem(error).status === 412) await reloadSite(client, site);
      throw error;
    });
    const undo = () => void patch(reverseOf(before.data, body), null, Date.now()).catch(notifyProblem);
    notify(text, canUndo ? { undo } : {});
  };
}
