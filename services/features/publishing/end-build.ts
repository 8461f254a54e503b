import type { BuildOrder } from '../../../workflows/contracts/site-actor.ts';
import { BuildStopped, BuildTimedOut, ContentFault, RevisionGone } from '../../build/index.ts';
import type { Config } from '../../core/config.ts';
import { Problem } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { countTimeout, forgetWhenPossible } from './attempts.ts';
import { type Claim, kindsOf } from './claim.ts';
import { failBuild, releaseBuild } from './finish.ts';
import { describeJobs } from './origin.ts';
import { noteRetry, type RetriedJobs } from './retried-jobs.ts';

/** How a build ended that made no release. */
export interface EndedBuild {
  result: 'failed' | 'lost' | 'cancelled';
  timedOut?: true;
}

/** A build that fails this often for a reason that nobody foresaw is given up, so that its jobs do not hang. */
const maxAttempts = 4;

function isTransient(error: unknown): boolean {
  return error instanceof Problem || error instanceof MissingObject || error instanceof RevisionGone;
}

interface SettlerDeps {
  db: Database;
  log: Logger;
  config: Pick<Config, 'buildRefusedMs'>;
}

/**
 * Makes what ends a build that threw: its jobs fail where an author is at fault, and wait for the next build where the build was
 * stopped. Rethrows what is an engine's fault: the caller tries again.
 */
export function createSettler({ db, log, config }: SettlerDeps) {
  /** Whether jobs have failed by it. A database that is away cannot be told; the next attempt tells it. */
  async function tellJobs(jobs: RetriedJobs, error: unknown): Promise<boolean> {
    const failed = await noteRetry(db, jobs, error, config.buildRefusedMs).catch((untold: unknown) => {
      log.debug({ err: untold }, 'jobs could not be told why they are tried again');
      return [];
    });
    if (failed.length > 0) log.error({ err: error, site_id: jobs.siteId, ...describeJobs(failed) }, 'build refused');
    return failed.length > 0;
  }

  /** A build that could not begin, because an engine failed what it reads first. Rethrows, unless its jobs have failed by it. */
  async function settleUnbegun({ siteId, target }: BuildOrder, error: unknown): Promise<EndedBuild> {
    const jobs = { siteId, kinds: kindsOf(target, false), statuses: ['queued', 'running'] };
    if (await tellJobs(jobs, error)) return { result: 'failed' };
    throw error;
  }

  async function settle(
    claimed: Claim,
    error: unknown,
    { signal, attempt }: { signal: AbortSignal; attempt: number },
  ): Promise<EndedBuild> {
    const { token, target } = claimed;
    const about = { site: claimed.site.slug, target, ...describeJobs(claimed.jobs) };
    if (error instanceof BuildStopped) {
      await releaseBuild(db, claimed);
      return { result: signal.aborted ? 'cancelled' : 'lost' };
    }
    if (error instanceof BuildTimedOut) {
      await countTimeout(db, token, error.kept);
      await releaseBuild(db, claimed);
      log.warn({ ...about, kept: error.kept !== null }, 'build ran out of time');
      return { result: 'lost', timedOut: true };
    }
    if (error instanceof ContentFault) {
      log.info({ ...about, fault: error.message }, 'build failed');
      return { result: (await failBuild(db, claimed, error.message)) ? 'failed' : 'lost' };
    }
    if (isTransient(error) || attempt < maxAttempts) {
      forgetWhenPossible(db, token);
      const kinds = [...new Set(claimed.jobs.map(({ kind }) => kind))];
      if (await tellJobs({ siteId: claimed.site.id, kinds, statuses: ['running'] }, error)) return { result: 'failed' };
      throw error;
    }
    log.error({ err: error, ...about }, 'build given up');
    await failBuild(db, claimed, 'The build failed for a reason inside the service; its log says more.');
    return { result: 'failed' };
  }
  return { settle, settleUnbegun };
}
