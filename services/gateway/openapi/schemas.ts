import { z } from 'zod';
import { memberNotes } from './notes.ts';

type Json = Record<string, unknown>;

/** Schemas that several operations share, each under one stable name. */
export interface SchemaRegistry {
  schemas: Json;
  /** A reference to the schema; `name` names it unless it has a name already. */
  reference(schema: z.ZodType, name: string, io: 'input' | 'output'): Json;
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json;
  // a record may gain members; a client that refuses unknown ones would break with the next version
  return io === 'output' ? openObjects(rest) : rest;
}

function openObjects(value: Json): Json {
  const entries = Object.entries(value)
    .filter(([name, member]) => !(name === 'additionalProperties' && member === false))
    .map(([name, member]) => [name, openMember(member)]);
  return Object.fromEntries(entries);
}

function openMember(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(openMember);
  return member && typeof member === 'object' ? openObjects(member as Json) : member;
}

/** Adds what `notes.ts` says of the members of this schema; their own descriptions stand. */
function withNotes(name: string, schema: Json): Json {
  const notes = Object.entries(memberNotes[name] ?? {});
  const properties = { ...(schema.properties as Record<string, Json> | undefined) };
  for (const [member, description] of notes) {
    if (!properties[member]) throw new Error(`${name} has no member ${member} that a note could be about.`);
    properties[member] = { description, ...properties[member] };
  }
  return notes.length > 0 ? { ...schema, properties } : schema;
}

export function createSchemaRegistry(fixed: Json): SchemaRegistry {
  const schemas: Json = { ...fixed };
  const names = new Map<z.ZodType, string>();
  return {
    schemas,
    reference(schema, name, io) {
      const known = names.get(schema) ?? name;
      if (!names.has(schema)) {
        if (schemas[known]) throw new Error(`Two schemas of the OpenAPI document want the name ${known}.`);
        names.set(schema, known);
        schemas[known] = withNotes(known, jsonSchema(schema, io));
      }
      return { $ref: `#/components/schemas/${known}` };
    },
  };
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
            description: 'With 422: what is to be mended',
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
    description: 'With `fields`: the members of the record that it names, and the name of the record',
  },
  Pagination: {
    type: 'object',
    required: ['total', 'page', 'per_page', 'total_pages'],
    properties: { total: integer, page: integer, per_page: integer, total_pages: integer },
  },
};
