import { openKeyedStore } from '../engines/objects/open.ts';
import { withLease } from '../engines/sql/lease.ts';
import { deleteExpiredAgents } from '../features/agents/index.ts';
import type { App } from '../features/app.ts';
import { deleteExpiredChanges } from '../features/audit/index.ts';
import { backUpDueInstallation, backUpDueSites, showInterval } from '../features/backups/index.ts';
import {
  collectGarbage,
  collectionLeases,
  deleteExpiredKeys,
  deleteExpiredLimits,
  removeOrphans,
} from '../features/collection/index.ts';
import { deleteExpiredAccess } from '../features/people/index.ts';
import type { Sweep } from './sweeper.ts';

const minuteMs = 60_000;
const expiredEveryMs = 10 * minuteMs;
const backupsEveryMs = 5 * minuteMs;
const orphansEveryMs = 24 * 60 * minuteMs;
const [collectLease, orphansLease] = collectionLeases;
/** Interval at which a worker checks whether a task is due. */
const askEveryMs = 30_000;

type Deps = Pick<App, 'db' | 'objects' | 'config' | 'log'>;

/**
 * Creates the periodic tasks that one of all workers does, selected by a lease. They may take long, so they have their
 * own sweeper; `signal` stops a task, and its next run continues it.
 */
export function createHousekeeping({ db, objects, config, log }: Deps, signal: AbortSignal): Sweep[] {
  const graceMs = config.collectGraceHours * 60 * minuteMs;

  /** Creates a sweep that requests its lease at most every `askEveryMs`. */
  function leased(name: string, everyMs: number, work: (signal: AbortSignal) => Promise<void>): Sweep {
    let next = 0;
    return {
      name,
      async run() {
        if (signal.aborted || performance.now() < next) return;
        next = performance.now() + Math.min(askEveryMs, everyMs);
        await withLease(db, name, { everyMs, signal }, work);
      },
    };
  }

  const sweeps = [
    leased('expired', expiredEveryMs, async (stop) => {
      await deleteExpiredKeys(db, stop);
      await deleteExpiredLimits(db, stop);
      await deleteExpiredAccess(db, stop);
      await deleteExpiredAgents(db, stop);
      if (config.auditDays > 0) await deleteExpiredChanges(db, config.auditDays, stop);
    }),
  ];
  if (config.collectEveryMinutes > 0) {
    sweeps.push(
      leased(collectLease, config.collectEveryMinutes * minuteMs, async (stop) => {
        const options = { graceMs, retention: config.releaseRetention, signal: stop };
        log.info(await collectGarbage({ db, objects }, options), 'garbage collected');
      }),
      leased(orphansLease, orphansEveryMs, async (stop) => {
        const removed = await removeOrphans({ db, objects }, { graceMs, signal: stop });
        if (removed > 0) log.info({ removed }, 'objects without a row removed');
      }),
    );
  }
  showInterval('site', config.backupEveryHours);
  showInterval('all', config.backupAllEveryHours);
  const backup = { db, objects, bucket: openKeyedStore(config.backups), config, log };
  if (config.backupEveryHours > 0) {
    sweeps.push(leased('backups', backupsEveryMs, (stop) => backUpDueSites(backup, stop)));
  }
  if (config.backupAllEveryHours > 0) {
    sweeps.push(leased('backups-all', backupsEveryMs, (stop) => backUpDueInstallation(backup, stop)));
  }
  return sweeps;
}
