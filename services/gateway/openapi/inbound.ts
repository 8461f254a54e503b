import { mapperPayloads } from '../../features/mapping/index.ts';
import { jsonSchema } from './schemas.ts';

type Json = Record<string, unknown>;

/** An example of a delivery for each mapper (spec: Mappers). */
const examples: Record<(typeof mapperPayloads)[number]['name'], Json> = {
  autoseo: { id: 1042, title: 'What a cairn is for', body_html: '<p>It marks the path.</p>', author: 'Ada' },
  create_post: { title: 'What a cairn is for', body_html: '<p>It marks the path.</p>', source_ref: 'cms-1042' },
  create_page: { title: 'About us', body_html: '<p>We walk.</p>', slug: 'about' },
  import_media: { url: 'https://images.example.com/cairn.jpg', alt: 'A cairn on a ridge' },
  upsert_component: { handle: 'quote', type: 'html', source_code: '<blockquote>{{ vars.text }}</blockquote>' },
};

/** Returns the name of a mapper's payload in the document: `AutoseoDelivery`. */
const schemaName = (mapper: string): string =>
  `${mapper.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Delivery`;

/**
 * Sets the content mappers' default status, which differs from that of the shared REST schema (spec: Mappers, rule 1).
 */
function withDefaultStatus({ status, ...others }: Record<string, Json>): Json {
  if (!status) return others;
  const [{ enum: states }] = status.anyOf as [Json];
  return { ...others, status: { enum: [...(states as string[]), null], description: '`published` when absent' } };
}

function deliverySchemaOf({ name, payload }: (typeof mapperPayloads)[number]): Json {
  const { properties, ...schema } = jsonSchema(payload);
  const description = `For an integration with the mapper \`${name}\`; other members are ignored`;
  return { description, ...schema, properties: withDefaultStatus(properties as Record<string, Json>) };
}

/** The payloads of all mappers, by name. */
export const deliverySchemas: Json = Object.fromEntries(
  mapperPayloads.map((mapper) => [schemaName(mapper.name), deliverySchemaOf(mapper)]),
);

const header = (name: string, description: string, schema: Json) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
});

const response = (description: string, headers?: Json) => ({ description, ...(headers ? { headers } : {}) });

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/XRequestId' } };
const retried = { ...requestId, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** The responses, which have no body (spec: Events, Replies). */
const responses: Json = {
  202: response('Recorded and queued', requestId),
  200: response('This delivery id is known already; nothing was done', requestId),
  400: response('`X-Delivery-Id` is missing or invalid', requestId),
  401: response('The signature is missing or wrong, or its time is more than 300 seconds away', requestId),
  404: response('The integration does not exist or is disabled', requestId),
  413: response('The body is larger than 4 MiB', requestId),
  503: response('Not recorded: send the delivery again with the same id', retried),
};

/** Returns the path of inbound deliveries, which is outside the base and needs a signature in place of a key. */
export function inboundPaths(origin: string): Json {
  const operation = {
    operationId: 'receiveDelivery',
    tags: ['Webhooks'],
    summary: 'Send a delivery to an integration; the service maps, builds and publishes it',
    description:
      'The body is signed: `v1` is the HMAC-SHA-256 of `<t>.<body>` with the secret of the integration, in hexadecimal. The integration has one mapper, which decides what the body contains. `listDeliveries` shows the result.',
    servers: [{ url: origin }],
    security: [],
    parameters: [
      {
        name: 'integration',
        in: 'path',
        required: true,
        description: 'The slug of the integration',
        schema: { type: 'string', minLength: 1 },
      },
      header('X-Delivery-Id', 'Unique for each delivery; a repeat is 200 and does nothing', {
        minLength: 1,
        maxLength: 255,
      }),
      header('X-Service-Signature', '`t=<seconds since 1970>,v1=<hex>`; several `v1` are allowed', {
        pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$',
      }),
    ],
    requestBody: {
      required: true,
      description: 'JSON of at most 4 MiB, exactly the signed bytes',
      content: {
        'application/json': {
          schema: { anyOf: Object.keys(deliverySchemas).map((name) => ({ $ref: `#/components/schemas/${name}` })) },
          examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
        },
      },
    },
    responses,
  };
  return { '/webhooks/{integration}': { post: operation } };
}
