import { z } from 'zod';
import type { Config } from '../core/config.ts';
import { type ErrorCode, errorCatalogue } from '../core/errors.ts';
import type { AppRoute } from '../features/route.ts';

type Json = Record<string, unknown>;

const stageErrors: ErrorCode[] = ['unauthorized', 'scope_missing', 'rate_limited', 'internal_error', 'unavailable'];

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;

/** OpenAPI's path with `{name}` parameters from ours with `:name` and `*`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
}

function parametersOf(route: AppRoute): Json[] {
  const names = [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const query = route.query ? (jsonSchema(route.query, 'input').properties as Record<string, Json>) : {};
  const inQuery = Object.entries(query ?? {}).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
  const idempotency =
    route.method === 'POST'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: { type: 'string', minLength: 1, maxLength: 255 },
            description: 'The same key with the same body replays the stored reply for 24 hours',
          },
        ]
      : [];
  return [...inPath, ...inQuery, ...idempotency];
}

function requestBodyOf({ body }: AppRoute): Json | undefined {
  switch (body.kind) {
    case 'json':
      return { required: true, content: { 'application/json': { schema: jsonSchema(body.schema, 'input') } } };
    case 'raw':
      return {
        required: true,
        description: 'The raw bytes',
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      };
    case 'custom':
      return {
        required: true,
        content: Object.fromEntries(
          body.contentTypes.map((type) => [
            type,
            {
              schema:
                body.schema && type === 'application/json' ? jsonSchema(body.schema, 'input') : { type: 'object' },
            },
          ]),
        ),
      };
    default:
      return undefined;
  }
}

function envelopeOf(route: AppRoute): Json {
  const record = route.reply.schema ? jsonSchema(route.reply.schema, 'output') : { type: 'object' };
  if (!route.reply.list)
    return { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data: record } };
  return {
    type: 'object',
    required: ['success', 'data', 'pagination'],
    properties: {
      success: { const: true },
      data: { type: 'array', items: record },
      pagination: { $ref: '#/components/schemas/Pagination' },
    },
  };
}

function successOf(route: AppRoute): Json {
  const { status, raw, description = 'Success' } = route.reply;
  if (status === 204) return { description: 'Done; no body' };
  if (raw) return { description, content: { 'text/plain': { schema: { type: 'string' } } } };
  return { description, content: { 'application/json': { schema: envelopeOf(route) } } };
}

function errorsOf(route: AppRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>([...stageErrors, ...(route.errors ?? [])]);
  if (route.path.includes('/:')) codes.add('not_found');
  if (route.path.includes(':site')) codes.add('site_not_allowed');
  if (route.query || route.body.kind !== 'ignored') codes.add('validation_failed');
  if (route.body.kind !== 'ignored')
    for (const code of ['too_large', 'malformed_json', 'request_timeout'] as const) codes.add(code);
  if (route.body.kind === 'json' || route.body.kind === 'custom') codes.add('unsupported_media_type');
  if (route.method === 'POST')
    for (const code of ['idempotency_in_flight', 'idempotency_key_reused', 'idempotency_key_invalid'] as const)
      codes.add(code);
  return [...codes];
}

function responsesOf(route: AppRoute): Json {
  const responses: Json = { [route.reply.status]: successOf(route) };
  if (route.reply.description?.startsWith('201')) responses[201] = { ...successOf(route), description: 'Created' };
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorCatalogue[code]);
  for (const [status, codes] of byStatus) {
    responses[status] = {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    };
  }
  return responses;
}

function operationOf(route: AppRoute): Json {
  const body = requestBodyOf(route);
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^a-zA-Z]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')}`,
    tags: [route.tag],
    summary: route.summary,
    description: `Scope: \`${route.scope}\``,
    parameters: parametersOf(route),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(route),
  };
}

const schemas = {
  Failure: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string' },
          message: { type: 'string' },
          details: {
            type: 'array',
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: { path: { type: 'string' }, message: { type: 'string' } },
            },
          },
        },
      },
    },
  },
  Pagination: {
    type: 'object',
    required: ['total', 'page', 'per_page', 'total_pages'],
    properties: Object.fromEntries(
      ['total', 'page', 'per_page', 'total_pages'].map((name) => [name, { type: 'integer' }]),
    ),
  },
};

/** The OpenAPI 3.1 document of the REST surface, made from the route declarations. */
export function createOpenApi(routes: readonly AppRoute[], config: Pick<Config, 'url'>): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[openApiPath(route.path)] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldstone',
      version: '1',
      description: 'Site publishing over REST. Writing content stores it; publishing is a separate operation.',
    },
    servers: [{ url: `${config.url}/api/v1` }],
    security: [{ ApiKey: [] }],
    paths,
    components: { schemas, securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
  };
}
