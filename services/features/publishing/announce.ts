import { comparePaths, type ReadBytes } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { type EventData, hasSubscribers, maxListedUrls, recordEvents, shortError } from '../events/index.ts';
import type { FailedJob } from './jobs/job-state.ts';
import {
  compareItems,
  type ItemChange,
  type ItemDifference,
  readBoth,
  readShownRecords,
  type ShownRecords,
  type ShownReleases,
} from './shown-items.ts';

/** A release that has just become live in this transaction. */
export interface LiveChange {
  siteId: string;
  /** The site's URL, with a slash at its end. */
  url: string;
  release: string;
  /** What was live before. */
  replaced: string | null;
  /** What `readItemsToDelete` returned, where revisions that the replaced release shows are deleted. */
  recordsBefore?: ShownRecords | undefined;
}

type JobKind = EventData<'job.failed'>['kind'];

/** Asks once, when it is first needed. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

/** The site's own path as an absolute URL. */
const urlAt = (url: string, path: string) => url + encodeURI(path.slice(1));

function describeItems({ url, release }: LiveChange, items: readonly ItemChange[]): EventData<'content.published'>[] {
  return items.map(({ id, type, slug, locale, path }) => ({
    content: { id, type, slug, locale, url: urlAt(url, path) },
    release,
  }));
}

async function describeRelease(
  tx: Db,
  { release, url }: LiveChange,
  { before, now }: ShownReleases,
): Promise<EventData<'site.published'>[]> {
  const { added, changed, removed } = comparePaths(before?.manifest ?? null, now.manifest);
  const cut = (paths: string[]) => paths.slice(0, maxListedUrls).map((path) => urlAt(url, path));
  const truncated = [added, changed, removed].some(({ length }) => length > maxListedUrls);
  const rows = await tx.query<{ pages: number }>('SELECT pages FROM releases WHERE id = $1', [release]);
  const lists = { added: cut(added), changed: cut(changed), removed: cut(removed), truncated };
  return rows.map(({ pages }) => ({ release, url, pages, ...lists }));
}

/**
 * Records what a release that became live means to those who listen; in the transaction of the swap, after it. What visitors see
 * decides: pages are compared with those of the release before (decision 0230).
 */
export async function announceRelease(tx: Db, objects: ReadBytes, change: LiveChange): Promise<void> {
  const releases = once(() => readBoth(tx, objects, change));
  const items = once(async () => compareItems(tx, change.siteId, await releases(), change.recordsBefore));
  const describe = (kind: keyof ItemDifference) => async () => describeItems(change, (await items())[kind]);
  await recordEvents(tx, change.siteId, {
    'site.published': async () => describeRelease(tx, change, await releases()),
    'content.published': describe('published'),
    'content.updated': describe('updated'),
    'content.unpublished': describe('unpublished'),
  });
}

/**
 * What `announceRelease` will need of items whose revisions are about to be deleted, if an endpoint wants to know. Throws MissingObject.
 */
export async function readItemsToDelete(
  tx: Db,
  objects: ReadBytes,
  siteId: string,
  live: string | null,
): Promise<ShownRecords | undefined> {
  const types = ['content.published', 'content.updated', 'content.unpublished'] as const;
  if (!live || !(await hasSubscribers(tx, siteId, types))) return undefined;
  return readShownRecords(tx, objects, siteId, live);
}

/** Records that jobs have failed; in the transaction in which they do. */
export async function announceFailedJobs(tx: Db, siteId: string, jobs: readonly FailedJob[], error: string) {
  const describe = () => jobs.map(({ id, kind }) => ({ job: id, kind: kind as JobKind, error: shortError(error) }));
  await recordEvents(tx, siteId, { 'job.failed': describe });
}
