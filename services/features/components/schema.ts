import { z } from 'zod';
import { sample } from '../../core/sample.ts';
import { anyObject, text, timestampText } from '../../core/schema.ts';

export const handlePattern = /^[a-z0-9][a-z0-9_-]{0,119}$/;
const maxSourceLength = 262_144;
const maxCssLength = 262_144;
const maxSchemaLength = 65_536;

const variablesSchema = anyObject
  .refine((schema) => JSON.stringify(schema).length <= maxSchemaLength, `must be at most ${maxSchemaLength} characters`)
  .nullish()
  .describe('A JSON Schema (2020-12) of the variables, or just its `properties` map');

export const componentBody = z
  .strictObject({
    type: z.enum(['html', 'react']),
    source_code: text(maxSourceLength, 1).describe(
      'A Twig template, or a React module in JavaScript or TypeScript with JSX',
    ),
    css: text(maxCssLength).nullish().describe('A style sheet; it applies only inside the component'),
    variables_schema: variablesSchema,
  })
  .meta({
    id: 'PutComponentBody',
    example: {
      type: 'html',
      source_code: '<span class="price">{{ amount }}</span>',
      variables_schema: { amount: { type: 'number' } },
    },
  });

export const tryComponentBody = componentBody
  .extend({ vars: anyObject.default({}).describe('The variables of the use') })
  .meta({
    id: 'TryComponentBody',
    example: { type: 'html', source_code: '<span class="price">{{ amount }}</span>', vars: { amount: 12 } },
  });

export const triedComponent = z
  .object({
    html: z.string().nullable().describe('The markup with its element; null if rendering failed'),
    css: z.string().nullable().describe('The style sheet, which applies only inside the component'),
    error: z
      .string()
      .nullable()
      .describe('Why rendering failed: variables that the schema rejects, or an error that the component throws'),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({
    id: 'TriedComponent',
    example: {
      html: '<x-component data-component="price"><span class="price">12</span></x-component>',
      css: null,
      error: null,
      warnings: [],
    },
  });

export type ComponentRequest = z.output<typeof componentBody>;

export const readOnlyComponentMembers = ['handle', 'sha256', 'updated_at', 'created_at', 'id', 'warnings'] as const;

const componentExample = {
  handle: 'price',
  type: 'html',
  css: '.price { font-weight: bold }',
  variables_schema: { amount: { type: 'number' } },
  sha256: sample.sha256,
  updated_at: sample.at,
};

export const componentRecord = z
  .object({
    handle: z.string(),
    type: z.enum(['html', 'react']),
    css: z.string().nullable(),
    variables_schema: z.record(z.string(), z.unknown()).nullable(),
    sha256: z.string().describe('Of the source code'),
    updated_at: timestampText,
  })
  .meta({ id: 'Component', example: componentExample });

export const componentWithSource = componentRecord.extend({ source_code: z.string() }).meta({
  id: 'ComponentWithSource',
  example: { ...componentExample, source_code: '<span class="price">{{ amount }}</span>' },
});

export const writtenComponent = componentRecord
  .extend({
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({ id: 'WrittenComponent', example: { ...componentExample, warnings: [] } });
