import { z } from 'zod';
import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { integrationSecrets } from './secrets.ts';
import { requireIntegration } from './service.ts';

/** The calls of the dashboard on integrations that the REST API does not have. */
export const integrationCalls: DashboardRoute[] = [
  dashboardRoute({
    // a POST, so that the audit log has a row
    method: 'POST',
    path: '/sites/:site/webhooks/:id/secret',
    operationId: 'showWebhookSecret',
    summary: 'Show the signing secret of an integration again (spec: Inbound webhooks)',
    session: 'signed_in',
    operationKind: 'integrations.manage',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: z.object({ id: z.string(), slug: z.string(), secret: z.string() }) },
    errors: ['not_found'],
    async handler({ app, db, site, params }) {
      const row = await requireIntegration(db, site.id, requireId(params['id'], 'integration'));
      return ok({ id: row.id, slug: row.slug, secret: integrationSecrets.open(app.cipher, row) });
    },
  }),
];
