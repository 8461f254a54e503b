import type { z } from 'zod';
import { membersOf, nameMemberOf, takesFields } from '../../core/fields.ts';
import { grantOf, operationKindOf, rolesWith } from '../../features/access/index.ts';
import type { AppRoute } from '../../features/route.ts';
import { commonHeaders, failuresOf } from './errors.ts';
import { jsonSchema, metadataOf, namedSchemas, reference } from './schemas.ts';

type Json = Record<string, unknown>;

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const uuids = new Set(['id', 'uuid', 'release', 'delivery']);

/** Converts a path with `:name` and `*` to OpenAPI's `{name}` parameters. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
}

function pathParameter(name: string): Json {
  if (name === 'site') return parameter('Site');
  const description = name === 'path' ? 'May contain slashes' : undefined;
  const schema = uuids.has(name) ? { type: 'string', format: 'uuid' } : { type: 'string', minLength: 1 };
  return { name, in: 'path', required: true, schema, ...(description ? { description } : {}) };
}

function fieldsParameter({ reply }: AppRoute): Json {
  const members = membersOf(reply.schema);
  const name = nameMemberOf(members);
  const always = name === undefined ? '' : `; \`${name}\` always stays`;
  return {
    name: 'fields',
    in: 'query',
    required: false,
    description: `The members that the reply contains, comma-separated${always}. All when absent`,
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: members } },
  };
}

/** The filters `filter[fields.x]` of a list whose query has members that only the site's types name. */
const filterParameter: Json = {
  name: 'filter',
  in: 'query',
  required: false,
  description:
    'Values by member, as in `filter[fields.region]=north`: keeps the items that have them. Any member that no schema of a type marks with `"x-filter": true` is 422',
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Returns the parameters in a route's path. */
export function pathParametersOf(route: AppRoute): Json[] {
  return [...openApiPath(route.path).matchAll(/\{(\w+)\}/g)].map((match) => pathParameter(match[1]!));
}

function parametersOf(route: AppRoute): Json[] {
  const query = route.query ? jsonSchema(route.query) : {};
  const required = new Set((query.required as string[] | undefined) ?? []);
  const inQuery = Object.entries((query.properties as Record<string, Json>) ?? {}).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.has(name),
      ...(description ? { description } : {}),
      schema,
    }),
  );
  const conditions = [
    ...(query.additionalProperties ? [filterParameter] : []),
    ...(route.method === 'POST' ? [parameter('IdempotencyKey')] : []),
    ...(takesFields(route) ? [fieldsParameter(route)] : []),
    ...(route.method === 'GET' ? [parameter('IfNoneMatch')] : []),
    ...(route.etag ? [parameter('IfMatch')] : []),
    ...(route.etag && route.method === 'PUT' ? [parameter('IfAbsent')] : []),
  ];
  return [...pathParametersOf(route), ...inQuery, ...conditions];
}

const fileBytes: Json = { type: 'string', contentMediaType: 'application/octet-stream' };

/** Returns a member of a JSON body as a field of a form, whose values are text or JSON. */
function formField(name: string, schema: Json): Json {
  if (name === 'file') return { ...fileBytes, description: 'The file; takes precedence over `url`' };
  const { anyOf, description, ...rest } = schema;
  const own = ((anyOf as Json[] | undefined) ?? [rest]).find(({ type }) => type !== 'null')!;
  const field = own.type === 'boolean' ? { type: 'string', enum: ['true', 'false'] } : own;
  return { ...field, ...(description ? { description } : {}) };
}

/** Returns the media type object of a form with the members of a JSON body, of which `file` or `url` is required. */
function formContent(schema: z.ZodType): Json {
  const { properties: ofJson } = namedSchemas([schema], 'input')[metadataOf(schema).id] as {
    properties: Record<string, Json>;
  };
  const members = Object.entries(ofJson);
  const properties = Object.fromEntries(members.map(([name, member]) => [name, formField(name, member)]));
  const objects = Object.entries(properties).filter(([, { type }]) => type === 'object');
  return {
    schema: { type: 'object', anyOf: [{ required: ['file'] }, { required: ['url'] }], properties },
    encoding: Object.fromEntries(objects.map(([name]) => [name, { contentType: 'application/json' }])),
    example: { file: '(the bytes)', alt: 'A cairn on a ridge', focal_point: { x: 0.5, y: 0.3 } },
  };
}

/** Returns the media type object of a JSON body or record, with its example. */
function jsonContent(schema: z.ZodType): Json {
  const { example } = metadataOf(schema);
  return { schema: reference(schema), ...(example === undefined ? {} : { example }) };
}

function requestBodyOf({ body }: AppRoute): Json | undefined {
  switch (body.kind) {
    case 'json':
      return { required: true, content: { 'application/json': jsonContent(body.schema) } };
    case 'raw':
      return {
        required: true,
        description: `The raw bytes, at most ${body.maxBytes}, whatever their content type`,
        content: {
          'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
        },
      };
    case 'custom': {
      const content = body.contentTypes.map((type) => {
        return [type, type === 'application/json' ? jsonContent(body.schema!) : formContent(body.schema!)];
      });
      return { required: true, content: Object.fromEntries(content) };
    }
    case 'empty':
      return {
        required: false,
        description: 'None, or an empty object',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: false }, example: {} } },
      };
    default:
      return undefined;
  }
}

/** The reply to a request with `fields`; without it every reply is a whole record. */
const partOfRecord = { $ref: '#/components/schemas/PartOfRecord' };

function successOf(route: AppRoute): Json {
  const { schema, list, raw, status } = route.reply;
  const headers: Json = { ...commonHeaders };
  if (status === 204) return { description: 'Done; no body', headers };
  headers.ETag = headerRef('ETag');
  if (route.method === 'POST') headers['Idempotency-Replayed'] = headerRef('IdempotencyReplayed');
  if (raw) return { description: 'The bytes', headers, content: { 'text/plain': { schema: { type: 'string' } } } };
  if (!schema) throw new Error(`${route.operationId} declares no record.`);
  const record = reference(schema);
  const recordExample = metadataOf(schema).example;
  const shown = takesFields(route) ? { anyOf: [record, partOfRecord] } : record;
  const properties: Json = { success: { const: true }, data: list ? { type: 'array', items: shown } : shown };
  const example: Json = { success: true, data: list ? [recordExample] : recordExample };
  if (list) {
    properties.pagination = { $ref: '#/components/schemas/Pagination' };
    example.pagination = { total: 1, page: 1, per_page: 20, total_pages: 1 };
  }
  const envelope = { type: 'object', required: Object.keys(properties), properties };
  const content = { 'application/json': { schema: envelope, ...(recordExample === undefined ? {} : { example }) } };
  return { description: route.reply.description ?? 'Success', headers, content };
}

function responsesOf(route: AppRoute): Json {
  const success = successOf(route);
  const responses: Json = { [route.reply.status]: success };
  if (route.reply.status === 200 && route.method === 'PUT') {
    responses[200] = { ...success, description: 'Replaced' };
    responses[201] = { ...success, description: 'Created' };
  }
  if (route.method === 'GET') responses[304] = { description: 'Unchanged', headers: commonHeaders };
  return { ...responses, ...failuresOf(route) };
}

/** Describes the scope that the key needs, and the roles of which its user needs one. */
function rightsOf(route: AppRoute): string {
  const kind = operationKindOf(route);
  const roles = rolesWith(kind).map((role) => (grantOf(role, kind) === 'own' ? `${role} (own records)` : role));
  return `Scope: \`${route.scope}\`. Roles: ${roles.join(', ')}.`;
}

/** Returns the members of an operation object that name and explain a route. */
export function descriptionOf(route: AppRoute): Json {
  const { operationId, tag, summary, description, scope } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: [rightsOf(route), description].filter(Boolean).join('\n\n'),
    'x-scope': scope,
    'x-roles': rolesWith(operationKindOf(route)),
  };
}

/** Returns a route's operation object. */
export function operationOf(route: AppRoute): Json {
  const requestBody = requestBodyOf(route);
  return {
    ...descriptionOf(route),
    parameters: parametersOf(route),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(route),
  };
}
