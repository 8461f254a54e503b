import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { bulkBody, bulkRecord } from '../../../../features/content/bulk/dashboard-schema.ts';
import { callOwn, rest } from '../../../app/api.ts';
import { toProblem } from '../../../app/problem.ts';
import { may, useMe } from '../../../app/session.ts';
import { notify, notifyProblem } from '../../../parts/notify.ts';
import type { ListedItem } from '../content-view.ts';
import { strings } from '../strings.ts';

type Body = z.output<typeof bulkBody>;
type Results = z.output<typeof bulkRecord>;

/** Items of one request (`maxChanges` of the call). */
const chunkSize = 100;

/** An item that could not be changed, and why. */
export interface Refused {
  item: ListedItem;
  message: string;
}

/** How many items of an action are done. */
export interface BulkProgress {
  done: number;
  total: number;
}

/** What to do with items, tags that all get or lose, and the members of each that change. */
interface Change extends Pick<Body, 'action' | 'add_tags' | 'remove_tags'> {
  members?: (item: ListedItem) => object;
}

/** What can be done with several items at once. Every function says what it did and offers to undo it. */
export interface BulkActions {
  publish(items: readonly ListedItem[]): Promise<void>;
  unpublish(items: readonly ListedItem[]): Promise<void>;
  addTag(items: readonly ListedItem[], tag: string): Promise<void>;
  trash(items: readonly ListedItem[]): Promise<void>;
  restore(items: readonly ListedItem[]): Promise<void>;
  /** Of the action that runs. */
  progress: BulkProgress | undefined;
  /** What the last action could not change. */
  refused: readonly Refused[];
  forgetRefused(): void;
}

/** Reads all lists and items of the site again. */
export const refreshContent = (client: QueryClient, site: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['content', site] });

/** Changes items, many with each request. One that is refused does not stop the others; a request that fails refuses its items. */
async function changeAll(
  site: string,
  items: readonly ListedItem[],
  { members, ...change }: Change,
  onProgress: (done: number) => void,
): Promise<{ done: ListedItem[]; refused: Refused[] }> {
  const done: ListedItem[] = [];
  const refused: Refused[] = [];
  for (let start = 0; start < items.length; start += chunkSize) {
    onProgress(start);
    const chunk = items.slice(start, start + chunkSize);
    const body = { ...change, items: chunk.map((item) => ({ id: item.id, ...members?.(item) })) };
    try {
      const { refusals } = await callOwn<Results>('POST', `/sites/${site}/content/changes`, body);
      for (const [index, item] of chunk.entries()) {
        const refusal = refusals[index];
        if (refusal) refused.push({ item, message: refusal.message });
        else done.push(item);
      }
    } catch (error) {
      const { message } = toProblem(error);
      refused.push(...chunk.map((item) => ({ item, message })));
    }
  }
  return { done, refused };
}

export function useBulkActions(site: string): BulkActions {
  const client = useQueryClient();
  const mayPublish = may(useMe(), 'publish', site) !== 'none';
  const [progress, setProgress] = useState<BulkProgress>();
  // kept with the site and not with the view, which may be left while an action runs
  const refusedKey = ['refused-items', site] as const;
  const { data: refused } = useQuery<readonly Refused[]>({
    queryKey: refusedKey,
    enabled: false,
    initialData: [],
    gcTime: Number.POSITIVE_INFINITY,
  });
  const setRefused = (items: readonly Refused[]) => client.setQueryData<readonly Refused[]>(refusedKey, items);
  const publishSite = async () => {
    if (mayPublish) await rest.POST('/sites/{site}/publish', { params: { path: { site } } });
  };
  const carryOut = async (items: readonly ListedItem[], change: Change, after?: () => Promise<void>) => {
    try {
      const outcome = await changeAll(site, items, change, (done) => setProgress({ done, total: items.length }));
      setRefused(outcome.refused);
      if (outcome.done.length > 0) await after?.().catch(notifyProblem);
      await refreshContent(client, site);
      return outcome;
    } finally {
      setProgress(undefined);
    }
  };

  /** Carries out a change, says so, and offers to undo it. */
  async function run(
    items: readonly ListedItem[],
    change: Change,
    say: (count: number) => string,
    undo: Change,
    after?: () => Promise<void>,
  ) {
    const { done } = await carryOut(items, change, after);
    if (done.length === 0) return;
    const undoAll = async () => {
      const { refused: left } = await carryOut(done, undo, after);
      if (left.length === 0) notify(strings.undone);
    };
    notify(say(done.length), { undo: () => void undoAll() });
  }

  const setBack: Change = {
    action: 'update',
    members: ({ status, scheduled_at, published_at }) => ({ status, scheduled_at, published_at }),
  };
  const setStatus = (status: 'published' | 'draft'): Change => ({ action: 'update', members: () => ({ status }) });
  return {
    progress,
    refused,
    forgetRefused: () => void setRefused([]),
    publish: (items) =>
      run(
        items.filter(({ status }) => status !== 'published'),
        setStatus('published'),
        mayPublish ? strings.done.publish : strings.done.publishWithoutSite,
        setBack,
        publishSite,
      ),
    unpublish: (items) =>
      run(
        items.filter(({ status }) => status !== 'draft'),
        setStatus('draft'),
        strings.done.unpublish,
        setBack,
      ),
    addTag: (items, tag) =>
      run(
        items.filter(({ tags }) => !tags.includes(tag)),
        { action: 'update', add_tags: [tag] },
        strings.done.tag,
        { action: 'update', remove_tags: [tag] },
      ),
    trash: (items) => run(items, { action: 'trash' }, strings.done.trash, { action: 'restore' }),
    restore: (items) => run(items, { action: 'restore' }, strings.done.restore, { action: 'trash' }),
  };
}
