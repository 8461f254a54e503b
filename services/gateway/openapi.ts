import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../core/config.ts';
import type { AppRoute } from '../features/route.ts';
import { errorExamples } from './openapi/errors.ts';
import { deliverySchemas, inboundPaths } from './openapi/inbound.ts';
import { introduction } from './openapi/introduction.ts';
import { openApiPath, operationOf } from './openapi/operation.ts';
import { fixedSchemas, namedSchemas } from './openapi/schemas.ts';
import { tagsOf } from './openapi/tags.ts';
import { uploadPaths, uploadRoutes } from './openapi/uploads.ts';
import { eventPayloads, webhooksOf } from './openapi/webhooks.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };

const headers: Json = {
  XRequestId: { description: 'The id of the request in our logs', schema: { type: 'string', format: 'uuid' } },
  RateLimit: { description: 'The remaining requests of each limit: "ip";r=58;t=41, "key";r=117;t=41', schema: text },
  RateLimitPolicy: { description: 'The limits: "ip";q=60;w=60, "key";q=120;w=60', schema: text },
  RetryAfter: { description: 'Seconds to wait before the same request', schema: { type: 'string', pattern: '^\\d+$' } },
  ETag: {
    description: 'The entity tag of the whole record, also if `fields` omits members, or of the list as it is sent',
    schema: text,
  },
  IdempotencyReplayed: {
    description: 'true: this is the stored reply of the first request',
    schema: { const: 'true' },
  },
};

const parameters: Json = {
  Site: {
    name: 'site',
    in: 'path',
    required: true,
    description: 'The slug of the site',
    schema: { ...text, minLength: 1 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key with the same body replays the stored reply for 24 hours',
    schema: { ...text, minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'An entity tag: 304 when unchanged',
    schema: text,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The entity tag of the record as it was read: 412 when it has changed since',
    schema: text,
  },
  IfAbsent: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: '`*`: 412 when there is such a record already',
    schema: text,
  },
};

/**
 * Returns the OpenAPI 3.1 document: the REST surface, generated from the route declarations, resumable uploads and
 * inbound deliveries.
 */
export function createOpenApi(routes: readonly AppRoute[], config: Pick<Config, 'url'>): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[openApiPath(route.path)] ??= {})[route.method.toLowerCase()] = operationOf(route);
  const bodies = routes.flatMap(({ body }) => ('schema' in body && body.schema ? [body.schema] : []));
  const records = [...routes.flatMap(({ reply }) => reply.schema ?? []), ...eventPayloads];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldstone',
      version: packageJson.version,
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: packageJson.license },
    },
    servers: [{ url: `${config.url}/api/v1` }],
    security: [{ ApiKey: [] }],
    tags: tagsOf(routes.map(({ tag }) => tag)),
    paths: { ...paths, ...uploadPaths(config.url), ...inboundPaths(config.url) },
    webhooks: webhooksOf(),
    components: {
      schemas: {
        ...fixedSchemas,
        ...deliverySchemas,
        ...namedSchemas(bodies, 'input'),
        ...namedSchemas(records, 'output'),
      },
      parameters,
      headers,
      examples: errorExamples([...routes, ...uploadRoutes]),
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}
