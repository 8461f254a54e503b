import { endpointActor } from '../../../workflows/contracts/endpoint-actor.ts';
import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { accepted, created, largeList, list, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { createEndpoint, requireEndpoint, rotateEndpoint, updateEndpoint } from './endpoints.ts';
import { deleteEndpointRow, type EndpointRow, selectEndpoint, selectEndpoints } from './endpoints-sql.ts';
import { replayEvent, requireEvent, sendTestEvent } from './events.ts';
import { selectEvents } from './events-sql.ts';
import { presentEndpoint, presentEvent } from './present.ts';
import {
  createdEndpointRecord,
  createEndpointBody,
  endpointRecord,
  eventListQuery,
  eventRecord,
  readOnlyEndpointMembers,
  readOnlyOnEndpointUpdate,
  rotatedEndpointRecord,
  updateEndpointBody,
} from './schema.ts';

const tag = 'Events';

const endpointOf = ({ db, site, params }: Pick<Input, 'db' | 'site' | 'params'>) =>
  requireEndpoint(db, site.id, requireId(params.id, 'endpoint'));

/** Returns the entity tag, the same for every response that shows the endpoint, also with its secret. */
const endpointTag = (row: EndpointRow) => tagOf(presentEndpoint(row));

async function readTag({ db, site, params }: Input): Promise<string | undefined> {
  const id = requireId(params.id, 'endpoint');
  await lockRow(db, 'event_endpoints', { id });
  const row = await selectEndpoint(db, site.id, id);
  return row && endpointTag(row);
}

const endpointRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/event-endpoints',
    operationId: 'listEventEndpoints',
    scope: 'sites:read',
    tag,
    summary: 'List the endpoints that events are sent to, newest first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: endpointRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await selectEndpoints(db, site.id, query);
      return list(rows.map(presentEndpoint), total, query);
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/event-endpoints',
    operationId: 'createEventEndpoint',
    scope: 'sites:write',
    operationKind: 'event_endpoints.manage',
    tag,
    summary: 'Register an endpoint; the reply has its signing secret',
    body: { kind: 'json', schema: createEndpointBody, readOnly: readOnlyEndpointMembers },
    reply: { status: 201, schema: createdEndpointRecord },
    async handler({ app, db, site, body }) {
      const { row, secret } = await createEndpoint(db, app, site.id, body);
      return created({ ...presentEndpoint(row), secret }, endpointTag(row));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/event-endpoints/:id',
    operationId: 'getEventEndpoint',
    scope: 'sites:read',
    tag,
    summary: 'Read an endpoint',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: endpointRecord },
    handler: async (input) => ok(presentEndpoint(await endpointOf(input))),
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/event-endpoints/:id',
    operationId: 'updateEventEndpoint',
    scope: 'sites:write',
    operationKind: 'event_endpoints.manage',
    tag,
    summary: 'Change an endpoint; enabling it again forgets its failures',
    body: { kind: 'json', schema: updateEndpointBody, readOnly: readOnlyOnEndpointUpdate },
    reply: { status: 200, schema: endpointRecord },
    etag: readTag,
    async handler(input) {
      const { id } = await endpointOf(input);
      return ok(presentEndpoint(await updateEndpoint(input.db, input.app, id, input.body)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/event-endpoints/:id',
    operationId: 'deleteEventEndpoint',
    scope: 'sites:write',
    operationKind: 'event_endpoints.manage',
    tag,
    summary: 'Delete an endpoint and its events',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readTag,
    async handler({ db, site, params }) {
      const id = requireId(params.id, 'endpoint');
      if (!(await deleteEndpointRow(db, site.id, id))) throw notFound('endpoint');
      return ok({ id, deleted: true });
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/event-endpoints/:id/rotate',
    operationId: 'rotateEventEndpointSecret',
    scope: 'sites:write',
    operationKind: 'event_endpoints.manage',
    tag,
    summary: 'Replace the secret of an endpoint; events are signed with both for 24 hours',
    body: { kind: 'empty' },
    reply: { status: 200, schema: rotatedEndpointRecord },
    async handler(input) {
      const { id } = await endpointOf(input);
      const { row, secret } = await rotateEndpoint(input.db, input.app.cipher, id);
      const previous_valid_until = formatTimestamp(row.previous_until!);
      return ok({ ...presentEndpoint(row), secret, previous_valid_until }, endpointTag(row));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/event-endpoints/:id/test',
    operationId: 'sendTestEvent',
    scope: 'sites:write',
    operationKind: 'event_endpoints.manage',
    tag,
    summary: 'Send an endpoint a test event',
    body: { kind: 'empty' },
    reply: { status: 202, schema: eventRecord },
    errors: ['conflict'],
    async handler(input) {
      const endpoint = await endpointOf(input);
      const row = await sendTestEvent(input.db, input.site, endpoint);
      input.afterCommit(() => input.app.actors.wakeActor(endpointActor(endpoint.id)));
      return accepted(presentEvent(row));
    },
  }),
];

const sentRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/events',
    operationId: 'listEvents',
    scope: 'sites:read',
    tag,
    summary: 'List events and how they were delivered, newest first',
    query: eventListQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: eventRecord, list: true },
    async handler({ db, site, query }) {
      return largeList(await selectEvents(db, site.id, query), query, (rows) => rows.map(presentEvent));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/events/:id',
    operationId: 'getEvent',
    scope: 'sites:read',
    tag,
    summary: 'Read an event with every attempt to deliver it',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: eventRecord },
    async handler({ db, site, params }) {
      return ok(presentEvent(await requireEvent(db, site.id, requireId(params.id, 'event'))));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/events/:id/replay',
    operationId: 'replayEvent',
    scope: 'sites:write',
    operationKind: 'event_endpoints.manage',
    tag,
    summary: 'Send an event again, the same bytes under the same id',
    body: { kind: 'empty' },
    reply: { status: 202, schema: eventRecord },
    errors: ['conflict'],
    async handler({ app, db, site, params, afterCommit }) {
      const row = await replayEvent(db, site.id, requireId(params.id, 'event'));
      afterCommit(() => app.actors.wakeActor(endpointActor(row.endpoint_id)));
      return accepted(presentEvent(row));
    },
  }),
];

export const eventRoutes: AppRoute[] = [...endpointRoutes, ...sentRoutes];
