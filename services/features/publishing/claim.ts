import { randomUUID } from 'node:crypto';
import type { BuildInput, BuildTarget } from '../../../workflows/contracts/site-actor.ts';
import type { BuildInputs, SiteInput } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedJobs } from './announce.ts';
import { countFaults, forgetAttempts, insertAttempt, maxFaults, tooManyFaults } from './attempts.ts';
import { type ClaimedJob, type FailedJob, giveUpJobs, type ServingBuild, takeJobs } from './jobs/job-state.ts';

/** A site as read by the build. */
export interface ClaimedSite extends SiteInput {
  version: number;
  live_release: string | null;
  preview_release: string | null;
}

/** A build that may swap the site's release, the jobs it serves and its inputs. */
export interface Claim {
  token: string;
  target: BuildTarget;
  site: ClaimedSite;
  jobs: ClaimedJob[];
  /** No job requests the stored content: the content stays as last published. */
  pinned: boolean;
  inputs: BuildInputs;
}

/** Returns the release that the build replaces; null when the site has none for this target. */
export function replacedRelease({ site, target }: Pick<Claim, 'site' | 'target'>): string | null {
  return target === 'live' ? site.live_release : site.preview_release;
}

/** Returns the build in the form that job states use. */
export function servingBuild({ site, token }: Claim): ServingBuild {
  return { siteId: site.id, token };
}

/** The outcome of an attempt to start a build. */
export type ClaimOutcome =
  | { kind: 'claimed'; claim: Claim }
  /** Nothing waits, or the site was deleted. */
  | { kind: 'nothing' }
  /** It must run apart from others: see `BuildKind`. */
  | { kind: 'apart' }
  /** The jobs of earlier builds have failed, because those crashed their worker or timed out too often. */
  | { kind: 'given_up'; jobs: FailedJob[] };

/** What the jobs of a build need to be read. */
export interface ReadOrder {
  pinned: boolean;
  /** A pinned build must show shell edits. */
  newShell: boolean;
}

const liveKinds = ['publish', 'scheduled', 'webhook'];

/** Returns the kinds of jobs that a build serves. */
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

/** Fails the jobs that earlier builds served; the next build starts a new count for later jobs. */
async function giveUp(tx: Db, siteId: string, target: BuildTarget, kinds: readonly string[]): Promise<FailedJob[]> {
  await forgetAttempts(tx, siteId, target);
  await tx.query('UPDATE sites SET build_token = NULL WHERE id = $1', [siteId]);
  const jobs = await giveUpJobs(tx, siteId, kinds, tooManyFaults);
  await announceFailedJobs(tx, siteId, jobs, tooManyFaults);
  return jobs;
}

/**
 * Starts a build. In one transaction it takes the waiting jobs, makes this build the only one that may swap, and reads
 * the site. So a job stays queued until a build contains the write that requested it, and this build serves every
 * request made so far. Marks the attempt as one of `worker`; null when that worker is stopping, which is not the
 * build's fault.
 */
export async function claimBuild(
  db: Database,
  order: BuildInput,
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
    const jobs = await takeJobs(tx, { siteId, token }, kinds);
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
