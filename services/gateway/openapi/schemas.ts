import { z } from 'zod';

type Json = Record<string, unknown>;
type Io = 'input' | 'output';

const options = { unrepresentable: 'any', target: 'draft-2020-12' } as const;

/** Returns the JSON Schema of parameters, which have no name in the document. */
export function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { ...options, io: 'input' });
  return rest;
}

/** Returns the name and example in a schema's metadata. Throws if it has no name, since zod would generate one. */
export function metadataOf(schema: z.ZodType): { id: string; example: unknown } {
  const { id, example } = schema.meta() ?? {};
  if (!id) throw new Error(`A body or record has no name; give its schema one: .meta({ id, example }).`);
  return { id, example };
}

/**
 * Adapts the schemas that zod generates: examples are moved beside schemas, and records may gain members without
 * breaking a client.
 */
function adapt(io: Io): (context: { jsonSchema: z.core.JSONSchema.BaseSchema }) => void {
  return ({ jsonSchema: made }) => {
    delete made.id;
    delete made.example;
    if (io === 'output' && made.additionalProperties === false) delete made.additionalProperties;
  };
}

const referenceTo = (id: string) => `#/components/schemas/${id}`;

/** Returns a reference to a named schema. */
export const reference = (schema: z.ZodType): Json => ({ $ref: referenceTo(metadataOf(schema).id) });

/** Returns the JSON Schemas of all bodies (`input`) or records (`output`) by name. Throws if two have the same name. */
export function namedSchemas(schemas: Iterable<z.ZodType>, io: Io): Json {
  const registry = z.registry<{ id: string }>();
  for (const schema of new Set(schemas)) registry.add(schema, { id: metadataOf(schema).id });
  const { schemas: made } = z.toJSONSchema(registry, { ...options, io, uri: referenceTo, override: adapt(io) });
  return Object.fromEntries(Object.entries(made).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

const integer = { type: 'integer', minimum: 0 };

export const fixedSchemas: Json = {
  Failure: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'A stable word for programs' },
          message: { type: 'string', description: 'A sentence for people' },
          details: {
            type: 'array',
            description: 'With 422: what to fix',
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
  PartOfRecord: {
    type: 'object',
    description: 'With `fields`: the members of the record that it names, and the identifying one',
  },
  Pagination: {
    type: 'object',
    required: ['total', 'page', 'per_page', 'total_pages'],
    properties: { total: integer, page: integer, per_page: integer, total_pages: integer },
  },
};
