import { z } from 'zod';
import { contentFields } from '../../../core/content-fields.ts';
import { sample } from '../../../core/sample.ts';
import { anyObject, nameText, timestampText } from '../../../core/schema.ts';

const maxSchemaLength = 65_536;

const example = {
  type: 'recipe',
  name: 'Recipe',
  fields_schema: {
    type: 'object',
    required: ['minutes'],
    properties: {
      minutes: { type: 'integer', minimum: 1, 'x-filter': true },
      story: { type: 'string', format: 'html' },
    },
  },
};

export const typeBody = z
  .strictObject({
    name: nameText,
    fields_schema: anyObject
      .refine((schema) => JSON.stringify(schema).length <= maxSchemaLength, {
        error: `must be at most ${maxSchemaLength} characters`,
      })
      .describe(
        'A JSON Schema (2020-12) of `fields`, or just its `properties` map. Texts with `format: html` are sanitized; members with `"x-filter": true` can be filters of the list',
      ),
  })
  .meta({ id: 'PutTypeBody', example: { name: example.name, fields_schema: example.fields_schema } });

export type TypeRequest = z.output<typeof typeBody>;

export const readOnlyTypeMembers = ['type', 'created_at', 'updated_at'] as const;

export const typeRecord = z
  .object({
    type: z.string(),
    name: z.string(),
    fields_schema: z.record(z.string(), z.unknown()),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'ContentType', example: { ...example, created_at: sample.at, updated_at: sample.at } });

/** Returns whether the text is a valid type name. */
export const isTypeName = (text: string): boolean => contentFields.type.write.safeParse(text).success;
