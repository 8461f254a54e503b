import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { requireIntegration } from '../integrations/index.ts';
import { forecastRecord } from './dashboard-schema.ts';
import { forecastReplay } from './forecast.ts';

/** The calls of the dashboard on replays that the REST API does not have. */
export const mappingCalls: DashboardRoute[] = [
  dashboardRoute({
    // a GET: what it writes is rolled back
    method: 'GET',
    path: '/sites/:site/webhooks/:id/deliveries/:delivery/forecast',
    operationId: 'forecastReplay',
    summary: 'Say what a replay of a delivery would change, without replaying it',
    session: 'signed_in',
    operationKind: 'integrations.manage',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: forecastRecord },
    errors: ['not_found'],
    async handler({ app, db, site, params }) {
      const { id } = await requireIntegration(db, site.id, requireId(params['id'], 'integration'));
      const delivery = requireId(params['delivery'], 'delivery');
      return ok(await forecastReplay(app, { id: delivery, integration_id: id }));
    },
  }),
];
