import { z } from 'zod';
import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { selectEndpoint } from './endpoints-sql.ts';
import { endpointSecrets } from './secrets.ts';

/** The calls of the dashboard on event endpoints that the REST API does not have. */
export const eventCalls: DashboardRoute[] = [
  dashboardRoute({
    // a POST, so that the audit log has a row
    method: 'POST',
    path: '/sites/:site/event-endpoints/:id/secret',
    operationId: 'showEventEndpointSecret',
    summary: 'Show the signing secret of an event endpoint again',
    session: 'signed_in',
    operationKind: 'event_endpoints.manage',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: z.object({ id: z.string(), secret: z.string() }) },
    errors: ['not_found'],
    async handler({ app, db, site, params }) {
      const row = await selectEndpoint(db, site.id, requireId(params['id'], 'event endpoint'));
      if (!row) throw notFound('event endpoint');
      return ok({ id: row.id, secret: endpointSecrets.open(app.cipher, row) });
    },
  }),
];
