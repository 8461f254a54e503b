import type { ReadBytes } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { itemPath, type PathItem } from '../../core/public-paths.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import { recordEvents, shortError } from '../events/index.ts';
import type { FailedJob } from './jobs/job-state.ts';
import { readInputs } from './release-inputs.ts';

/** A release that becomes live in this transaction. */
export interface LiveChange {
  siteId: string;
  /** The site's URL, ending with a slash. */
  url: string;
  release: string;
  /** The release that was live before. */
  replaced: string | null;
}

type Revision = [id: string, revision: number];

/** Selects items at the revisions that a release shows. */
async function selectShown(tx: Db, siteId: string, shown: readonly Revision[]) {
  return tx.query<{ content_id: string; record: PathItem }>(
    `SELECT r.content_id, r.record FROM content_revisions r
       JOIN unnest($2::UUID[], $3::INT8[]) AS p (id, revision) ON r.content_id = p.id AND r.revision = p.revision
     WHERE r.site_id = $1`,
    [siteId, shown.map(([id]) => id), shown.map(([, revision]) => revision)],
  );
}

/**
 * Returns the items of the previous release; none when its documents are missing from the store, which must not prevent
 * the next release.
 */
async function readItemsBefore(tx: Db, objects: ReadBytes, release: string | null): Promise<readonly Revision[]> {
  if (!release) return [];
  try {
    return (await readInputs(tx, objects, release)).items;
  } catch (error) {
    if (error instanceof MissingObject) return [];
    throw error;
  }
}

/** Returns the items that the live site shows now and did not show before. */
async function describeNewItems(tx: Db, objects: ReadBytes, { siteId, url, release, replaced }: LiveChange) {
  const now = await readInputs(tx, objects, release);
  const known = new Set((await readItemsBefore(tx, objects, replaced)).map(([id]) => id));
  const rows = await selectShown(
    tx,
    siteId,
    now.items.filter(([id]) => !known.has(id)),
  );
  return rows.map(({ content_id: id, record }) => {
    const { type, slug, locale } = record;
    return { content: { id, type, slug, locale, url: url + itemPath(record, now.site).slice(1) }, release };
  });
}

async function describeRelease(tx: Db, { release, url }: LiveChange) {
  return tx.query<{ release: string; url: string; pages: number; changed: number }>(
    'SELECT id AS release, $2::TEXT AS url, pages, changed FROM releases WHERE id = $1',
    [release, url],
  );
}

/** Records the events of a release that became live; call it in the transaction of the swap, after the swap. */
export async function announceRelease(tx: Db, objects: ReadBytes, change: LiveChange): Promise<void> {
  await recordEvents(tx, change.siteId, 'site.published', () => describeRelease(tx, change));
  await recordEvents(tx, change.siteId, 'content.published', () => describeNewItems(tx, objects, change));
}

/** Records that jobs have failed; call it in the transaction in which they fail. */
export async function announceFailedJobs(tx: Db, siteId: string, jobs: readonly FailedJob[], error: string) {
  await recordEvents(tx, siteId, 'job.failed', () =>
    jobs.map(({ id, kind }) => ({ job: id, kind, error: shortError(error) })),
  );
}
