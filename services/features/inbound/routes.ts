import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import { requireId } from '../../core/ids.ts';
import { accepted, largeList, ok, tagOf } from '../../core/reply.ts';
import { requireIntegration } from '../integrations/index.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { openDeliveryBody, replayDelivery, requireDelivery } from './deliveries.ts';
import { selectDeliveries } from './deliveries-sql.ts';
import { presentDelivery, presentSent } from './present.ts';
import { deliveryListQuery, deliveryRecord } from './schema.ts';

const tag = 'Webhooks';

const integrationOf = ({ db, site, params }: Pick<Input, 'db' | 'site' | 'params'>) =>
  requireIntegration(db, site.id, requireId(params.id, 'integration'));

export const deliveryRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/webhooks/:id/deliveries',
    operationId: 'listDeliveries',
    scope: 'sites:read',
    tag,
    summary: 'List the deliveries of an integration, newest first',
    query: deliveryListQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deliveryRecord, list: true },
    async handler(input) {
      const { id } = await integrationOf(input);
      const page = await selectDeliveries(input.db, id, input.query);
      return largeList(page, input.query, (rows) => rows.map((row) => presentDelivery(row, row.body)));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/webhooks/:id/deliveries/:delivery',
    operationId: 'getDelivery',
    scope: 'sites:read',
    tag,
    summary: 'Read a delivery with its body and its timeline from the endpoint to the live site',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deliveryRecord },
    async handler(input) {
      const { id } = await integrationOf(input);
      const row = await requireDelivery(input.db, id, requireId(input.params.delivery, 'delivery'));
      const showsBody = !input.fields || input.fields.has('body') || input.fields.has('body_encoding');
      // the bytes of a delivery never change, until they are deleted
      const etag = tagOf({ ...presentDelivery(row, null), purged_at: row.purged_at });
      return ok(presentSent(row, showsBody ? await openDeliveryBody(input.app.objects, row) : null), etag);
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/webhooks/:id/deliveries/:delivery/replay',
    operationId: 'replayDelivery',
    scope: 'sites:write',
    operationKind: 'integrations.manage',
    tag,
    summary: 'Process a delivery again from its recorded bytes, as the newest of its item',
    body: { kind: 'empty' },
    reply: { status: 202, schema: deliveryRecord },
    errors: ['conflict'],
    async prepare(input) {
      const { id } = await integrationOf(input);
      return openDeliveryBody(
        input.app.objects,
        await requireDelivery(input.db, id, requireId(input.params.delivery, 'delivery')),
      );
    },
    async handler(input) {
      const { id } = await integrationOf(input);
      const row = await replayDelivery(input.db, id, requireId(input.params.delivery, 'delivery'));
      input.afterCommit(() => input.app.actors.wakeActor(integrationActor(id)));
      return accepted(presentSent(row, row.purged_at ? null : input.prepared));
    },
  }),
];
