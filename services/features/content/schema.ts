import { z } from 'zod';
import { contentFields, statuses } from '../../core/content-fields.ts';
import { exampleRecord, recordNames, recordShape, writeShape } from '../../core/content-model.ts';
import { localeText } from '../../core/locale.ts';
import { pageQuery, text, timestamp } from '../../core/schema.ts';

const { title, ...optional } = writeShape;

/** Longer texts may take time quadratic in their length (docs/decisions/0226). */
const maxMarkdownChars = 500_000;

export const readOnlyContentMembers = [...recordNames.filter((name) => !(name in writeShape)), 'trashed_at'] as const;

const createExample = {
  title: exampleRecord['title'],
  body_html: exampleRecord['body_html'],
  status: 'draft',
  tags: ['paths'],
};

/** Other forms of a body in requests: records have `body_html` only. */
const alternatives = {
  body_markdown: text(maxMarkdownChars)
    .describe(
      'In place of `body_html`: CommonMark with tables. It is rendered, then cleaned like any HTML. Records have `body_html` only',
    )
    .optional(),
};

/** Returns the schema of a request body with these members, which may set `body_html` or one alternative, not both. */
function contentBody<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .strictObject({ ...shape, ...alternatives })
    .refine((body: object) => !('body_html' in body && 'body_markdown' in body), {
      path: ['body_markdown'],
      error: 'must not be sent together with body_html',
    });
}

const createShape = { title, ...z.object(optional).partial().shape };
const { source_ref: _inPath, ...upsertShape } = createShape;
const notBoth = { not: { required: ['body_html', 'body_markdown'] } };

export const createContentBody = contentBody(createShape).meta({
  id: 'CreateContentBody',
  example: createExample,
  ...notBoth,
});
export const updateContentBody = contentBody(z.object(writeShape).partial().shape).meta({
  id: 'UpdateContentBody',
  example: { status: 'scheduled', scheduled_at: '2026-12-01T06:00:00Z' },
  ...notBoth,
});
/** The path names `source_ref`, so a body may not name another. */
export const upsertContentBody = contentBody(upsertShape).meta({
  id: 'PutContentByRefBody',
  example: createExample,
  ...notBoth,
});
/** Each element is checked separately, so that an invalid one rejects only itself. */
export const batchBody = z
  .strictObject({
    items: z
      .array(z.unknown())
      .min(1)
      .max(100)
      .describe('Bodies of `createContent`; an invalid one does not affect the others'),
  })
  .meta({ id: 'CreateContentBatchBody', example: { items: [createExample, { title: 'Bench notes', type: 'page' }] } });

export type CreateContent = z.output<typeof createContentBody>;
export type UpdateContent = z.output<typeof updateContentBody>;

export const contentListQuery = pageQuery
  .extend({
    status: z.enum(statuses).optional(),
    type: z.string().max(64).optional(),
    locale: localeText.optional(),
    tag: z.string().max(200).optional(),
    q: z
      .string()
      .max(500)
      .optional()
      .describe(
        'Text contained in the title, the excerpt or the visible text of the body, case-insensitive; markup is not searched',
      ),
    updated_since: timestamp.optional(),
  })
  // `filter[fields.{member}]`; the schemas of the site's types define the members
  .catchall(z.string());

/** A filter on a member of `fields`, for items of these types. */
export interface FieldFilter {
  name: string;
  value: string;
  types: string[];
}

export type ContentListQuery = Pick<z.output<typeof contentListQuery>, keyof typeof contentListQuery.shape> & {
  filters?: readonly FieldFilter[];
};

export const contentRecord = z.object(recordShape).meta({ id: 'Content', example: exampleRecord });

const { value: trashedAt, example: trashedAtExample } = contentFields.trashed_at;
export const trashedRecord = contentRecord
  .extend({ trashed_at: trashedAt })
  .meta({ id: 'TrashedContent', example: { ...exampleRecord, trashed_at: trashedAtExample } });

const refusal = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export const batchResults = z
  .object({
    results: z.array(
      z.union([
        z.object({ status: z.literal(201), data: contentRecord }),
        z.object({ status: z.int(), error: refusal }),
      ]),
    ),
  })
  .meta({
    id: 'BatchResults',
    example: {
      results: [
        { status: 201, data: exampleRecord },
        {
          status: 422,
          error: {
            code: 'validation_failed',
            message: 'title: is required',
            details: [{ path: 'title', message: 'is required' }],
          },
        },
      ],
    },
  });
