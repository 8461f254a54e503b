import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { rest } from '../../../app/api.ts';
import { toProblem } from '../../../app/problem.ts';
import { may, useMe } from '../../../app/session.ts';
import { notify, notifyProblem } from '../../../parts/notify.ts';
import type { ListedItem } from '../content-view.ts';
import { strings } from '../strings.ts';

/** Requests at a time: few, because other editors use the service too. */
const parallel = 4;

interface Outcome {
  done: ListedItem[];
  failed: unknown[];
}

/** Changes items a few at a time. One that cannot be changed does not stop the others. */
async function changeEach(
  items: readonly ListedItem[],
  change: (item: ListedItem) => Promise<unknown>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      try {
        await change(item);
        outcome.done.push(item);
      } catch (error) {
        outcome.failed.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return outcome;
}

/** What can be done with several items at once. Every function says what it did and offers to undo it. */
export interface BulkActions {
  publish(items: readonly ListedItem[]): Promise<void>;
  unpublish(items: readonly ListedItem[]): Promise<void>;
  addTag(items: readonly ListedItem[], tag: string): Promise<void>;
  trash(items: readonly ListedItem[]): Promise<void>;
  restore(items: readonly ListedItem[]): Promise<void>;
}

type Change = (item: ListedItem) => Promise<unknown>;

/** Reads all lists and items of the site again. */
export const refreshContent = (client: QueryClient, site: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['content', site] });

export function useBulkActions(site: string): BulkActions {
  const client = useQueryClient();
  const mayPublish = may(useMe(), 'publish', site) !== 'none';
  const path = (item: ListedItem) => ({ path: { site, id: item.id } });
  const update = (item: ListedItem, body: object) =>
    rest.PATCH('/sites/{site}/content/{id}', { params: path(item), body: body as never });
  const restoreOne: Change = (item) => rest.POST('/sites/{site}/content/{id}/restore', { params: path(item) });
  const trashOne: Change = (item) => rest.DELETE('/sites/{site}/content/{id}', { params: path(item) });
  const publishSite = async () => {
    if (mayPublish) await rest.POST('/sites/{site}/publish', { params: { path: { site } } });
  };

  /** Carries out a change, says so, and offers to undo it. */
  async function run(
    items: readonly ListedItem[],
    change: Change,
    say: (count: number) => string,
    undo: Change,
    after?: () => Promise<void>,
  ) {
    const { done, failed } = await changeEach(items, change);
    if (done.length > 0) {
      await after?.().catch(notifyProblem);
      const undoAll = async () => {
        const { failed: left } = await changeEach(done, undo);
        await after?.().catch(notifyProblem);
        await refreshContent(client, site);
        if (left.length > 0) notifyProblem(new Error(strings.failed(left.length, toProblem(left[0]).message)));
        else notify(strings.undone);
      };
      notify(say(done.length), { undo: () => void undoAll() });
    }
    if (failed.length > 0) notifyProblem(new Error(strings.failed(failed.length, toProblem(failed[0]).message)));
    await refreshContent(client, site);
  }

  const setBack: Change = ({ id, status, scheduled_at, published_at }) =>
    rest.PATCH('/sites/{site}/content/{id}', {
      params: { path: { site, id } },
      body: { status, scheduled_at, published_at } as never,
    });
  return {
    publish: (items) =>
      run(
        items.filter(({ status }) => status !== 'published'),
        (item) => update(item, { status: 'published' }),
        mayPublish ? strings.done.publish : strings.done.publishWithoutSite,
        setBack,
        publishSite,
      ),
    unpublish: (items) =>
      run(
        items.filter(({ status }) => status !== 'draft'),
        (item) => update(item, { status: 'draft' }),
        strings.done.unpublish,
        setBack,
      ),
    addTag: (items, tag) =>
      run(
        items.filter(({ tags }) => !tags.includes(tag)),
        (item) => update(item, { tags: [...item.tags, tag] }),
        strings.done.tag,
        (item) => update(item, { tags: item.tags }),
      ),
    trash: (items) => run(items, trashOne, strings.done.trash, restoreOne),
    restore: (items) => run(items, restoreOne, strings.done.restore, trashOne),
  };
}
