import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { Problem } from '../../core/errors.ts';
import { listEdges } from '../../engines/edges/registry.ts';
import { describeBackupPlace, type NewestBackups, runInWorker } from '../backups/index.ts';
import type { DashboardInput } from '../dashboard-route.ts';
import { queues, selectBacklog } from './backlog.ts';
import type { healthRecord } from './dashboard-schema.ts';
import { selectRetriedJobs } from './sql.ts';

type Health = z.output<typeof healthRecord>;

const maxWaitMs = 5_000;
/** The worker lists the store of backups, which may be large. */
const backupsWaitMs = 15_000;

/** Returns the fault of an engine as a sentence; null if it responds in time. */
async function findProblem(check: () => Promise<unknown>): Promise<string | null> {
  const isLate = Symbol('late');
  try {
    const outcome = await Promise.race([check(), sleep(maxWaitMs, isLate, { ref: false })]);
    return outcome === isLate ? `It did not respond within ${maxWaitMs / 1000} seconds.` : null;
  } catch (error) {
    // a problem has a message for clients; other errors may name hosts, which administrators may know
    return error instanceof Error ? error.message : String(error);
  }
}

async function readNewestBackups({ app, session, client }: DashboardInput): Promise<Partial<Health['backups']>> {
  const { id, userId, roles } = session!;
  const caller = { via: 'dashboard', id, userId, roles, scopes: ['admin'], sites: ['*'] } as const;
  const signal = AbortSignal.any([client.gone, AbortSignal.timeout(backupsWaitMs)]);
  try {
    const operator = { ...caller, scopes: [...caller.scopes], sites: [...caller.sites] };
    const newest = (await runInWorker(app, operator, { operation: 'newest' }, signal)) as NewestBackups | undefined;
    if (newest) return { newest, problem: null };
    return { newest: null, problem: `A worker did not respond within ${backupsWaitMs / 1000} seconds.` };
  } catch (error) {
    if (error instanceof Problem) return { newest: null, problem: error.message };
    throw error;
  }
}

/** Returns the state of the whole installation. An engine that does not respond is part of the result. */
export async function examineHealth(input: DashboardInput): Promise<Health> {
  const { app, db } = input;
  const { config } = app;
  const [objects, actors, edges, backlog, retried, newest] = await Promise.all([
    findProblem(async () => {
      await app.objects.ping();
      await app.objects.requireSpace();
    }),
    findProblem(() => app.actors.ping()),
    listEdges(db),
    selectBacklog(db),
    selectRetriedJobs(db),
    readNewestBackups(input),
  ]);
  const { backupEveryHours: every_hours, backupKeep: keep, backups } = config;
  return {
    objects: { name: app.objects.place, problem: objects },
    actors: { name: config.actors.engine, problem: actors },
    edges: edges.length,
    backlog: backlog.toSorted((a, b) => queues.indexOf(a.queue) - queues.indexOf(b.queue)),
    retried,
    backups: {
      every_hours,
      keep,
      place: describeBackupPlace(config),
      is_folder: backups.engine === 'files',
      newest: newest.newest ?? null,
      problem: newest.problem ?? null,
    },
  };
}
