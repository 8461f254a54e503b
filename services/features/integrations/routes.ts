import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { created, list, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { presentIntegration } from './present.ts';
import {
  createdIntegrationRecord,
  createIntegrationBody,
  integrationRecord,
  readOnlyOnCreate,
  readOnlyOnUpdate,
  rotatedIntegrationRecord,
  updateIntegrationBody,
} from './schema.ts';
import { createIntegration, requireIntegration, rotateIntegration, updateIntegration } from './service.ts';
import { deleteIntegrationRow, type IntegrationRow, selectIntegration, selectIntegrations } from './sql.ts';

const tag = 'Webhooks';

const integrationOf = ({ db, site, params }: Pick<Input, 'db' | 'site' | 'params'>) =>
  requireIntegration(db, site.id, requireId(params.id, 'integration'));

/** Returns the entity tag, the same for every response that shows the integration, also with its secret. */
const integrationTag = ({ config }: Input['app'], row: IntegrationRow) => tagOf(presentIntegration(row, config));

async function readTag({ app, db, site, params }: Input): Promise<string | undefined> {
  const id = requireId(params.id, 'integration');
  await lockRow(db, 'integrations', { id });
  const row = await selectIntegration(db, site.id, id);
  return row && integrationTag(app, row);
}

export const integrationRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/webhooks',
    operationId: 'listWebhooks',
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
    operationId: 'createWebhook',
    scope: 'sites:write',
    operationKind: 'integrations.manage',
    tag,
    summary: 'Create an integration; the response has its signing secret',
    description:
      'Deliveries go to the `url` of the response, with `X-Delivery-Id` and `X-Service-Signature: t=<unix time>,v1=<hex of HMAC-SHA-256 over "<t>.<body>", keyed with the secret>`.',
    body: { kind: 'json', schema: createIntegrationBody, readOnly: readOnlyOnCreate },
    reply: { status: 201, schema: createdIntegrationRecord },
    errors: ['slug_taken'],
    async handler({ app, db, site, body }) {
      const { row, secret } = await createIntegration(db, app.cipher, site, body, app.config.siteLimits.integrations);
      return created({ ...presentIntegration(row, app.config), secret }, integrationTag(app, row));
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/webhooks/:id',
    operationId: 'updateWebhook',
    scope: 'sites:write',
    operationKind: 'integrations.manage',
    tag,
    summary: 'Rename, enable or disable an integration; a disabled one immediately responds with 404',
    body: { kind: 'json', schema: updateIntegrationBody, readOnly: readOnlyOnUpdate },
    reply: { status: 200, schema: integrationRecord },
    etag: readTag,
    async handler(input) {
      const { id } = await integrationOf(input);
      return ok(presentIntegration(await updateIntegration(input.db, id, input.body), input.app.config));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/webhooks/:id',
    operationId: 'deleteWebhook',
    scope: 'sites:write',
    operationKind: 'integrations.manage',
    tag,
    summary: 'Delete an integration and its deliveries; the records that they created stay',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readTag,
    async handler({ app, db, site, params, afterCommit }) {
      const id = requireId(params.id, 'integration');
      if (!(await deleteIntegrationRow(db, site.id, id))) throw notFound('integration');
      afterCommit(() => app.actors.wakeActor(integrationActor(id))); // otherwise it would sleep indefinitely; once awake, it ends
      return ok({ id, deleted: true });
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/webhooks/:id/rotate',
    operationId: 'rotateWebhookSecret',
    scope: 'sites:write',
    operationKind: 'integrations.manage',
    tag,
    summary: 'Replace the secret of an integration; the previous one stays valid for 24 hours',
    body: { kind: 'empty' },
    reply: { status: 200, schema: rotatedIntegrationRecord },
    async handler(input) {
      const { app, db } = input;
      const { id } = await integrationOf(input);
      const { row, secret } = await rotateIntegration(db, app.cipher, id);
      const record = presentIntegration(row, app.config);
      const previous_valid_until = formatTimestamp(row.previous_until!);
      return ok({ ...record, secret, previous_valid_until }, integrationTag(app, row));
    },
  }),
];
