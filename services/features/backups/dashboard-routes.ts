import { ok } from '../../core/reply.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { describeBackupPlace } from './place.ts';
import { type BackupArguments, type BackupOperator, runInWorker } from './run-in-worker.ts';
import { backupsRecord, restoreBody, resultRecord } from './schema.ts';

/** Shared by all calls on the backups of a site. */
const shared = {
  session: 'signed_in',
  operationKind: 'backups',
  // a worker runs the operation and records it in the audit log
  transaction: { none: 'A worker runs the operation in its own transactions.' },
} as const;

const running = { running: true } as const;

/** Runs the operation for the user. Returns undefined if it takes longer than a request. */
function run({ app, session, client }: DashboardInput, operation: BackupArguments): Promise<unknown> {
  const { id, userId, roles } = session!;
  const caller: BackupOperator = { via: 'dashboard', id, userId, roles, scopes: ['admin'], sites: ['*'] };
  return runInWorker(app, caller, operation, client.gone);
}

/** Describes the schedule of backups; the place only to administrators. */
function describeSchedule({ app: { config }, session }: DashboardInput) {
  const { backupEveryHours: every_hours, backupKeep: keep, backups } = config;
  const place = describeBackupPlace(config);
  return { every_hours, keep, store: backups.engine, place: session!.roles.administrator ? place : null };
}

/** The calls on the backups of a site, which the REST API does not have (spec: Overview). */
export const backupRoutes: DashboardRoute[] = [
  dashboardRoute({
    ...shared,
    method: 'GET',
    path: '/sites/:site/backups',
    operationId: 'listBackups',
    summary: 'The backups of the site, newest first, their schedule and store',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: backupsRecord },
    async handler(input) {
      const backups = await run(input, { operation: 'list', site: input.site.slug });
      return ok({ backups: backups ?? null, schedule: describeSchedule(input) });
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'POST',
    path: '/sites/:site/backups',
    operationId: 'createBackup',
    summary: 'Back the site up',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: resultRecord },
    handler: async (input) => ok((await run(input, { operation: 'create', site: input.site.slug })) ?? running),
  }),
  dashboardRoute({
    ...shared,
    method: 'POST',
    path: '/sites/:site/backups/:id/verify',
    operationId: 'verifyBackup',
    summary: 'Prove that a backup can be restored',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: resultRecord },
    errors: ['not_found'],
    handler: async (input) => ok((await run(input, { operation: 'verify', id: input.params['id'] })) ?? running),
  }),
  dashboardRoute({
    ...shared,
    method: 'POST',
    path: '/sites/:site/backups/:id/restore',
    operationId: 'restoreBackup',
    summary: 'Restore a backup in place, or as a new site',
    body: { kind: 'json', schema: restoreBody },
    reply: { status: 200, schema: resultRecord },
    errors: ['not_found', 'conflict', 'slug_taken'],
    handler: async (input) =>
      ok((await run(input, { operation: 'restore', id: input.params['id'], as: input.body.as })) ?? running),
  }),
];
