import type { BuildInput } from '../../../workflows/contracts/site-actor.ts';
import { BuildStopped, BuildTimedOut, ContentFault, RevisionGone } from '../../build/index.ts';
import type { Config } from '../../core/config.ts';
import { Problem } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { countTimeout, forgetWhenPossible } from './attempts.ts';
import { type Claim, kindsOf } from './claim.ts';
import { failBuild, releaseBuild } from './finish.ts';
import type { WaitingJobs } from './jobs/job-state.ts';
import { describeJobs } from './origin.ts';
import { noteRetry } from './retried-jobs.ts';

/** How a build without a release ended. */
export interface EndedBuild {
  result: 'failed' | 'lost' | 'cancelled';
  timedOut?: true;
}

/** A build that fails this often for an unexpected reason is given up, so that its jobs do not hang. */
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
 * Creates the functions that end a build after an error: its jobs fail if an author caused it, and wait for the next
 * build if the build was stopped. They rethrow an engine's error, and the caller retries.
 */
export function createSettler({ db, log, config }: SettlerDeps) {
  /**
   * Stores the error in the jobs; returns whether jobs have failed because of it. If the database is unavailable, the
   * next attempt stores it.
   */
  async function tellJobs(jobs: WaitingJobs, error: unknown): Promise<boolean> {
    const failed = await noteRetry(db, jobs, error, config.buildRefusedMs).catch((untold: unknown) => {
      log.debug({ err: untold }, 'jobs could not be told why they are tried again');
      return [];
    });
    if (failed.length > 0) log.error({ err: error, site_id: jobs.siteId, ...describeJobs(failed) }, 'build refused');
    return failed.length > 0;
  }

  /**
   * Handles a build that could not start, because an engine failed while it read its inputs. Rethrows, unless its jobs
   * have failed.
   */
  async function settleUnbegun({ siteId, target }: BuildInput, error: unknown): Promise<EndedBuild> {
    const jobs: WaitingJobs = { siteId, kinds: kindsOf(target, false), statuses: ['queued', 'running'] };
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
