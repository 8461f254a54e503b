import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import { notFound } from '../../core/errors.ts';
import { accepted, created, largeList, list, ok } from '../../core/http.ts';
import { requireId } from '../../core/ids.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { openDelivery, replayDelivery, requireDelivery } from './deliveries.ts';
import { selectDeliveries } from './deliveries-sql.ts';
import { createIntegration, requireIntegration, rotateIntegration, updateIntegration } from './integrations.ts';
import { deleteIntegrationRow, selectIntegrations } from './integrations-sql.ts';
import { presentDelivery, presentIntegration } from './present.ts';
import {
  createdIntegrationRecord,
  createIntegrationBody,
  deliveryListQuery,
  deliveryRecord,
  integrationRecord,
  readOnlyOnCreate,
  readOnlyOnUpdate,
  rotatedIntegrationRecord,
  updateIntegrationBody,
} from './schema.ts';

const tag = 'Webhooks';

const integrationOf = ({ db, site, params }: Pick<Input, 'db' | 'site' | 'params'>) =>
  requireIntegration(db, site.id, requireId(params.id, 'integration'));

export const webhookRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/webhooks',
    scope: 'sites:read',
    tag,
    summary: 'List webhook integrations, newest first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: integrationRecord, list: true },
    async handler({ app, db, site, query }) {
      const { rows, total } = await selectIntegrations(db, site.id, query);
      return list(
        rows.map((row) => presentIntegration(row, app.config)),
        total,
        query,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/webhooks',
    scope: 'sites:write',
    tag,
    summary: 'Create an integration; the reply has its signing secret',
    body: { kind: 'json', schema: createIntegrationBody, readOnly: readOnlyOnCreate },
    reply: { status: 201, schema: createdIntegrationRecord },
    errors: ['slug_taken'],
    atomic: true,
    async handler({ app, db, site, body }) {
      const { row, secret } = await createIntegration(db, app.cipher, site, body, app.config.siteLimits.integrations);
      return created({ ...presentIntegration(row, app.config), secret });
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/webhooks/:id',
    scope: 'sites:write',
    tag,
    summary: 'Rename, enable or disable an integration; a disabled one answers 404 at once',
    body: { kind: 'json', schema: updateIntegrationBody, readOnly: readOnlyOnUpdate },
    reply: { status: 200, schema: integrationRecord },
    atomic: true,
    async handler(input) {
      const { id } = await integrationOf(input);
      return ok(presentIntegration(await updateIntegration(input.db, id, input.body), input.app.config));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/webhooks/:id',
    scope: 'sites:write',
    tag,
    summary: 'Delete an integration and its deliveries; what they made stays',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    async handler({ app, db, site, params, afterCommit }) {
      const id = requireId(params.id, 'integration');
      if (!(await deleteIntegrationRow(db, site.id, id))) throw notFound('integration');
      afterCommit(() => app.actors.wakeActor(integrationActor(id))); // it would sleep indefinitely: awake, it ends
      return ok({ id, deleted: true });
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/webhooks/:id/rotate',
    scope: 'sites:write',
    tag,
    summary: 'Give an integration a new secret; the previous one stays valid for 24 hours',
    body: { kind: 'empty' },
    reply: { status: 200, schema: rotatedIntegrationRecord },
    atomic: true,
    async handler(input) {
      const { app, db } = input;
      const { id } = await integrationOf(input);
      const { row, secret } = await rotateIntegration(db, app.cipher, id);
      return ok({
        ...presentIntegration(row, app.config),
        secret,
        previous_valid_until: formatTimestamp(row.previous_until!),
      });
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/webhooks/:id/deliveries',
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
    scope: 'sites:read',
    tag,
    summary: 'Read a delivery with its bytes and its way from the endpoint to the live site',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deliveryRecord },
    async handler(input) {
      const { id } = await integrationOf(input);
      const row = await requireDelivery(input.db, id, requireId(input.params.delivery, 'delivery'));
      const showsBody = !input.fields || input.fields.has('body') || input.fields.has('body_encoding');
      return ok(showsBody ? await openDelivery(input.app.objects, row) : presentDelivery(row, null));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/webhooks/:id/deliveries/:delivery/replay',
    scope: 'sites:write',
    tag,
    summary: 'Process a delivery again from its recorded bytes, as the newest of its item',
    body: { kind: 'empty' },
    reply: { status: 202, schema: deliveryRecord },
    errors: ['conflict'],
    atomic: true,
    async handler(input) {
      const { id } = await integrationOf(input);
      const row = await replayDelivery(input.db, id, requireId(input.params.delivery, 'delivery'));
      input.afterCommit(() => input.app.actors.wakeActor(integrationActor(id)));
      return accepted(await openDelivery(input.app.objects, row));
    },
  }),
];
