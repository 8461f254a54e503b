import { ok } from '../../core/reply.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { healthRecord } from './dashboard-schema.ts';
import { examineHealth } from './examine.ts';

/** The call of the dashboard about the whole installation. */
export const healthCalls: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/health',
    operationId: 'examineHealth',
    summary: 'The state of engines, waiting work and backups of the whole installation',
    session: 'signed_in',
    onlyAdministrators: true,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: healthRecord },
    handler: async (input) => ok(await examineHealth(input)),
  }),
];
