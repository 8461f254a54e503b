import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { components } from '../../../client/schema.ts';
import { ifMatch, rest, taggedDataOf } from '../../app/api.ts';
import { toProblem } from '../../app/problem.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { mergePatchOf } from './starter-settings.ts';
import { strings } from './strings.ts';

export type Site = components['schemas']['Site'];
export type SiteChange = components['schemas']['UpdateSiteBody'];

/** `version` changes when another user's version replaces what the forms show. */
export type Tagged = { data: Site; etag: string | null; version: number };

const taggedKey = (site: string) => ['sites', site, 'tagged'] as const;

const readTagged = async (site: string, signal?: AbortSignal): Promise<Tagged> => ({
  ...(await taggedDataOf<Site>(rest.GET('/sites/{site}', { params: { path: { site } }, ...(signal && { signal }) }))),
  version: Date.now(),
});

/**
 * The site with its entity tag as of the opening of the page. Later changes of other users are not read, so that a save detects them.
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

const pick = (settings: Site['settings'], names: readonly string[]) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));

/** Returns what makes the members that `change` replaced in `before`, and which are now as in `after`, as they were. */
export function reverseOf(before: Site, change: SiteChange, after: Site): SiteChange {
  const { settings, ...members } = change;
  const back = Object.fromEntries(Object.keys(members).map((name) => [name, before[name as keyof Site]]));
  if (!settings) return back;
  const names = Object.keys(settings);
  // the service merges settings, so that a member that did not exist must be removed by name, at any depth
  return { ...back, settings: mergePatchOf(pick(after.settings, names), pick(before.settings, names)) };
}

/**
 * Returns the function that changes a site and says so, with a way to undo it. It rejects with 412 if another user has changed the site
 * since it was read; with `isForced` it reads the site first and changes that. Changes are sent one after the other. With `reloadsOnConflict` the page then shows the stored site, for another attempt.
 */
export function useChangeSite(site: string, { reloadsOnConflict = false } = {}) {
  const client = useQueryClient();
  const patch = async (body: SiteChange, etag: string | null): Promise<Omit<Tagged, 'version'>> => {
    const request = rest.PATCH('/sites/{site}', { params: { path: { site } }, body, headers: ifMatch(etag) });
    const after = await taggedDataOf<Site>(request);
    client.setQueryData<Tagged>(taggedKey(site), (shown) => ({ ...after, version: shown?.version ?? 0 }));
    const isList = (key: readonly unknown[]) => key.length === 1 || (key.length === 2 && key[1] === site);
    await client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'sites' && (isList(queryKey) || queryKey[2] === 'languages'),
    });
    return after;
  };
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = <T>(send: () => Promise<T>): Promise<T> => {
    // a change that was refused does not stop the next one, which sends the tag that the page has then
    const sent = last.current.then(send, send);
    last.current = sent;
    return sent;
  };
  const change = async (
    body: SiteChange,
    { text = strings.saved as string, isForced = false, canUndo = true } = {},
  ): Promise<void> => {
    const opened = client.getQueryData<Tagged>(taggedKey(site))!;
    const before = isForced ? await readTagged(site) : opened;
    const after = await patch(body, before.etag).catch(async (error: unknown) => {
      if (reloadsOnConflict && toProblem(error).status === 412) await reloadSite(client, site);
      throw error;
    });
    const undo = () => {
      inTurn(() => patch(reverseOf(before.data, body, after.data), null)).catch(notifyProblem);
    };
    notify(text, canUndo ? { undo } : {});
  };
  return (...args: Parameters<typeof change>): Promise<void> => inTurn(() => change(...args));
}
