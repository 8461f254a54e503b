import { randomUUID } from 'node:crypto';
import type { BuildOrder, BuildTarget } from '../../../workflows/contracts/site-actor.ts';
import type { BuildInputs, SiteInput } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import type { Origin } from '../../core/tracing.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedJobs, type FailedJob } from './announce.ts';
import { countFaults, forgetAttempts, insertAttempt, maxFaults, tooManyFaults } from './attempts.ts';

/** A site as the build finds it. */
export interface ClaimedSite extends SiteInput {
  version: number;
  live_release: string | null;
  preview_release: string | null;
}

export interface ClaimedJob {
  id: string;
  kind: string;
  /** The request that asked for it. */
  origin: Origin | null;
  /** It asks for the site as last published: for its address of today, or for variants made since. */
  as_published: boolean;
}

/** A build that may swap the site's release, the jobs it serves and what it reads. */
export interface Claim {
  token: string;
  target: BuildTarget;
  site: ClaimedSite;
  jobs: ClaimedJob[];
  /** Nobody asks for the content of today: it stays as last published. */
  pinned: boolean;
  inputs: BuildInputs;
}

/** The release whose place the build's own takes; null when the site has none of this target. */
export function replacedRelease({ site, target }: Pick<Claim, 'site' | 'target'>): string | null {
  return target === 'live' ? site.live_release : site.preview_release;
}

/** What came of the wish to begin a build. */
export type ClaimOutcome =
  | { kind: 'claimed'; claim: Claim }
  /** Nothing waits, or the site is gone. */
  | { kind: 'nothing' }
  /** It has to run apart from others: see `BuildKind`. */
  | { kind: 'apart' }
  /** The jobs of earlier builds have failed, because those ended their worker or ran out of time too often. */
  | { kind: 'given_up'; jobs: FailedJob[] };

/** What the jobs of a build ask to be read. */
export interface ReadOrder {
  pinned: boolean;
  /** Shell edits are among what a pinned build is to show. */
  newShell: boolean;
}

const liveKinds = ['publish', 'scheduled', 'webhook'];

/** The kinds of jobs that a build serves. */
export function kindsOf(target: BuildTarget, autopublish: boolean): readonly string[] {
  if (target === 'preview') return ['rebuild'];
  return autopublish ? [...liveKinds, 'rebuild'] : liveKinds;
}

async function lockSite(tx: Db, siteId: string): Promise<ClaimedSite | undefined> {
  const [site] = await tx.query<ClaimedSite>(
    `SELECT id, slug, name, domain, default_locale, locales, settings, version, live_release, preview_release
     FROM sites WHERE id = $1 FOR UPDATE`,
    [siteId],
  );
  return site;
}

/** Jobs of a dead build are `running` still; the site builds one thing at a time, so they are ours too. */
async function takeJobs(tx: Db, siteId: string, kinds: readonly string[], token: string) {
  return tx.query<ClaimedJob>(
    `UPDATE jobs SET status = 'running', build_token = $3, stage = 'snapshot', done = 0, total = 0,
       started_at = COALESCE(started_at, now())
     WHERE site_id = $1 AND status IN ('queued', 'running') AND kind = ANY($2::TEXT[])
     RETURNING id, kind, origin, as_published`,
    [siteId, kinds, token],
  );
}

/** Ends the jobs that earlier builds served; those that came since begin a new count with the next build. */
async function giveUp(tx: Db, siteId: string, target: BuildTarget, kinds: readonly string[]): Promise<FailedJob[]> {
  await forgetAttempts(tx, siteId, target);
  await tx.query('UPDATE sites SET build_token = NULL WHERE id = $1', [siteId]);
  const jobs = await tx.query<FailedJob>(
    `UPDATE jobs SET status = 'failed', stage = 'failed', error = $3, finished_at = now()
     WHERE site_id = $1 AND status = 'running' AND kind = ANY($2::TEXT[]) RETURNING id, kind`,
    [siteId, kinds, tooManyFaults],
  );
  await announceFailedJobs(tx, siteId, jobs, tooManyFaults);
  return jobs;
}

/**
 * Begins a build: in one transaction it takes the waiting jobs, makes this build the only one that may swap, and reads
 * the site. So a job is queued until a build contains the write that asked for it, and every request that came until
 * now is served by this build. The attempt is marked as one of `worker`; null when that one stops, which is no fault of the build.
 */
export async function claimBuild(
  db: Database,
  order: BuildOrder,
  worker: () => string | null,
  readInputs: (tx: Db, site: ClaimedSite, read: ReadOrder) => Promise<BuildInputs>,
): Promise<ClaimOutcome> {
  const { siteId, target } = order;
  const token = randomUUID();
  return db.transaction(async (tx) => {
    const site = await lockSite(tx, siteId);
    if (!site) return { kind: 'nothing' };
    const kinds = kindsOf(target, site.settings['shell_autopublish'] === true);
    const { crashes, timeouts } = await countFaults(tx, order);
    if (crashes + timeouts >= maxFaults) return { kind: 'given_up', jobs: await giveUp(tx, siteId, target, kinds) };
    if (crashes > 0 && !order.alone) return { kind: 'apart' };
    const jobs = await takeJobs(tx, siteId, kinds, token);
    if (jobs.length === 0) return { kind: 'nothing' };
    const owner = worker();
    if (owner) await insertAttempt(tx, order, { token, worker: owner });
    await tx.query('UPDATE sites SET build_token = $2 WHERE id = $1', [siteId, token]);
    const newShell = jobs.some((job) => job.kind === 'rebuild');
    const pinned = target === 'live' && jobs.every((job) => job.kind === 'rebuild' || job.as_published);
    const inputs = await readInputs(tx, site, { pinned, newShell });
    return { kind: 'claimed', claim: { token, target, site, jobs, pinned, inputs } };
  });
}
