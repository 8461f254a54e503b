import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorCatalogue } from '../../../services/core/errors.ts';
import { mapperNames } from '../../../services/features/integrations/mapper-names.ts';
import { createOpenApi } from '../../../services/gateway/openapi.ts';
import { routes } from '../../../services/gateway/routes.ts';

/** The document from when routes became single declarations; additions are allowed, losses break clients. */
const published: {
  operations: Record<string, { route: string; parameters: string; statuses: string }>;
  schemas: Record<string, string>;
} = JSON.parse(readFileSync(new URL('./published-surface.json', import.meta.url), 'utf8'));

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Any = any;

const document = JSON.parse(JSON.stringify(createOpenApi(routes, { url: 'https://example.com' }))) as Any;
const allOperations: [string, Any][] = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Any>(methods).map(([method, operation]): [string, Any] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);
/** Those of the REST surface: the others have a server of their own, because they are outside of its base. */
const operations = allOperations.filter(([, { servers }]) => servers === undefined);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'doc', components: document.components });

function faultsOf(schema: Any, value: unknown): string[] {
  const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/'));
  const validate = ajv.compile(located);
  return validate(value) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

// rule: beyond.44
test('is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect([valid, validator.version]).toEqual([true, '3.1']);
});

test('has every route under a name of its own, and nothing else', () => {
  expect(operations).toHaveLength(routes.length);
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
});

// rule: beyond.44
test('has the resumable uploads and inbound deliveries, at the origin', () => {
  const outside = allOperations.filter(([, { servers }]) => servers !== undefined);
  expect(outside.map(([name]) => name)).toEqual([
    'POST /uploads',
    'HEAD /uploads/{id}',
    'PATCH /uploads/{id}',
    'DELETE /uploads/{id}',
    'POST /webhooks/{integration}',
  ]);
  for (const [, { servers }] of outside) expect(servers).toEqual([{ url: 'https://example.com' }]);
});

// rule: beyond.44
test('a form has every member of the JSON body, and the file', () => {
  const { content } = document.paths['/sites/{site}/media'].post.requestBody;
  const body = document.components.schemas.UploadMediaBody;
  const { schema, encoding } = content['multipart/form-data'];
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(body.properties).sort());
  expect(schema.properties).toMatchObject({ decorative: { enum: ['true', 'false'] }, focal_point: { type: 'object' } });
  expect(encoding).toEqual({ focal_point: { contentType: 'application/json' } });
  expect(faultsOf(schema, { alt: 'neither file nor URL' })).not.toEqual([]);
});

// rule: beyond.44
test('an inbound delivery has the payload of each mapper, with an example that fits', () => {
  const { schema, examples } = document.paths['/webhooks/{integration}'].post.requestBody.content['application/json'];
  expect(Object.keys(examples)).toEqual([...mapperNames]);
  for (const [index, { value }] of Object.values<Any>(examples).entries())
    expect(faultsOf(schema.anyOf[index], value)).toEqual([]);
  const { status } = document.components.schemas.AutoseoDelivery.properties;
  expect(status).toMatchObject({
    enum: expect.arrayContaining(['draft', 'archived']),
    description: '`published` when absent',
  });
});

describe.each(operations)('%s', (_name, operation) => {
  test('describes its path parameters, errors and headers', () => {
    expect(operation.summary).not.toBe('');
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
    for (const [status, response] of Object.entries<Any>(operation.responses)) {
      expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit']));
      if (Number(status) < 400) continue;
      const codes = Object.keys(response.content['application/json'].examples);
      for (const code of codes) expect(errorCatalogue[code as keyof typeof errorCatalogue]).toBe(Number(status));
    }
    expect(operation.responses['429'].headers['Retry-After']).toBeDefined();
  });

  test('its examples are what its schemas say', () => {
    const contents = [operation.requestBody, ...Object.values<Any>(operation.responses)].flatMap((part) =>
      Object.values<Any>(part?.content ?? {}),
    );
    for (const { schema, example } of contents)
      if (example !== undefined) expect(faultsOf(schema, example)).toEqual([]);
  });
});

test('every GET of an item or list says which members it can leave out', () => {
  for (const [name, { parameters, responses }] of operations) {
    const fields = parameters.find((parameter: Any) => parameter.name === 'fields');
    const schema = responses['200']?.content?.['application/json']?.schema.properties.data;
    const isRecord = name.startsWith('GET ') && schema !== undefined;
    expect([name, fields !== undefined]).toEqual([name, isRecord]);
    if (!isRecord) continue;
    const [record] = (schema.items ?? schema).anyOf;
    expect(fields.schema.items.enum).toEqual(
      Object.keys(document.components.schemas[record.$ref.split('/').pop()].properties),
    );
    expect(responses['422']).toBeDefined();
  }
});

// rule: envelope.2
test('every error example is a failure', () => {
  for (const { value } of Object.values<Any>(document.components.examples)) {
    expect(faultsOf({ $ref: '#/components/schemas/Failure' }, value)).toEqual([]);
  }
});

test('every JSON body and every record but the guides has an example', () => {
  const without = operations.filter(([, { operationId, requestBody, responses }]) => {
    if (operationId.endsWith('AuthoringGuide')) return false; // as long as the document; each is its own example
    const body = requestBody?.required ? requestBody.content['application/json'] : undefined;
    const reply = (responses['200'] ?? responses['201'] ?? responses['202'])?.content?.['application/json'];
    return (body && body.example === undefined) || (reply && reply.example === undefined);
  });
  expect(without.map(([name]) => name)).toEqual([]);
});

test('names the operations that its texts speak of', () => {
  const ids = new Set(allOperations.map(([, { operationId }]) => operationId));
  const texts = [document.info.description, ...routes.map(({ description }) => description ?? '')].join(' ');
  const named = [...texts.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map((match) => match[1]!);
  expect(named.filter((name) => !ids.has(name))).toEqual([]);
  expect(named).toContain('publishSite');
});

test('the example of an error says what it would say', () => {
  for (const [code, { value }] of Object.entries<Any>(document.components.examples))
    expect(value.error.message).not.toBe(`${code.replaceAll('_', ' ')}.`);
});

test('keeps every operation, parameter, status and member that has been published', () => {
  const words = (text: string) => text.split(' ').filter(Boolean);
  const byId = new Map(operations.map(([name, operation]) => [operation.operationId, { name, operation }]));
  for (const [id, { route, parameters, statuses }] of Object.entries(published.operations)) {
    const { name, operation } = byId.get(id)!;
    const named = operation.parameters.map((entry: Any) => entry.name ?? entry.$ref.split('/').pop());
    expect([id, name]).toEqual([id, route]);
    expect(named).toEqual(expect.arrayContaining(words(parameters)));
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(words(statuses)));
  }
  for (const [schema, members] of Object.entries(published.schemas))
    expect(Object.keys(document.components.schemas[schema].properties ?? {})).toEqual(
      expect.arrayContaining(words(members)),
    );
});
