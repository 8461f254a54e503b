import { z } from 'zod';
import { localeText } from '../../core/locale.ts';
import { sample } from '../../core/sample.ts';
import { pageQuery, text, timestamp, timestampText } from '../../core/schema.ts';

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const;
export type Status = (typeof statuses)[number];

const maxTags = 200;
const uuid = z.uuid().transform((value) => value.toLowerCase());

const itemType = text(64).regex(
  /^[a-z][a-z0-9_-]*$/,
  'must be lowercase letters, digits, _ and -, beginning with a letter',
);

/** An index holds it, which bounds its bytes: at most three a character. */
export const sourceRef = text(800, 1);

const title = text(2000)
  .refine((value) => value.trim() !== '', 'must not be empty')
  .meta({ pattern: '\\S' });

/** What a client may write, every member optional but the title on create. */
const writable = {
  type: itemType.describe(
    '`post`, `page` or a type of your own, shown by `{type}.twig`, else `page.twig`. `post` when absent',
  ),
  title,
  slug: text(2000).nullable().describe('Made from the title when absent; a taken one gets a counter'),
  locale: localeText.describe('One of the locales of the site. Its default one when absent'),
  body_html: z
    .string()
    .describe('Cleaned; the authoring guide says what may be in it. Images of the library: `<img src="media:{id}">`'),
  excerpt: text(20_000).nullable().describe('Plain text'),
  author: text(1000).nullable(),
  status: z.enum(statuses).describe('`draft` when absent. Only `published` items are in a publish'),
  scheduled_at: timestamp
    .nullable()
    .describe('Required with the status `scheduled`: then the item becomes published, and the site is, by itself'),
  published_at: timestamp.nullable().describe('Set when the item becomes published, unless it is given'),
  featured_media_id: uuid.nullable().describe('The `id` of an image of the library'),
  seo_title: text(2000).nullable(),
  seo_description: text(20_000).nullable(),
  tags: z.array(text(200, 1)).max(maxTags).describe('Any words'),
  source_ref: sourceRef.nullable().describe('Your own name for the item, unique in the site, for `putContentByRef`'),
  translation_of: uuid
    .nullable()
    .describe(
      'The `id` of the item in the default locale that this one is a translation of: one per locale, another one outside the trash is 409',
    ),
};

const { title: _title, ...optional } = writable;

export const readOnlyContentMembers = ['id', 'url', 'created_at', 'updated_at', 'trashed_at', 'warnings'] as const;

const contentExample = {
  id: sample.id,
  type: 'post',
  title: 'What a cairn is for',
  slug: 'what-a-cairn-is-for',
  locale: 'en',
  url: `${sample.url}/posts/what-a-cairn-is-for/`,
  body_html: '<p>A cairn marks a way.</p>',
  excerpt: null,
  author: 'Ada Moor',
  status: 'published',
  scheduled_at: null,
  published_at: sample.at,
  featured_media_id: null,
  seo_title: null,
  seo_description: null,
  tags: ['paths'],
  source_ref: 'cms-1042',
  translation_of: null,
  created_at: sample.at,
  updated_at: sample.at,
  warnings: [{ code: 'inline_style_removed', message: 'Removed the inline style from <p> (line 1, column 1).' }],
};

const createExample = {
  title: contentExample.title,
  body_html: contentExample.body_html,
  status: 'draft',
  tags: ['paths'],
};

export const createContentBody = z
  .strictObject({ title, ...z.object(optional).partial().shape })
  .meta({ id: 'CreateContentBody', example: createExample });
export const updateContentBody = z
  .strictObject(z.object(writable).partial().shape)
  .meta({ id: 'UpdateContentBody', example: { status: 'scheduled', scheduled_at: '2026-12-01T06:00:00Z' } });
/** By reference: the path names `source_ref`, so a body may not name another. */
export const upsertContentBody = createContentBody
  .omit({ source_ref: true })
  .strict()
  .meta({ id: 'PutContentByRefBody', example: createExample });
/** Each element is checked on its own, so that a wrong one refuses nothing but itself. */
export const batchBody = z
  .strictObject({
    items: z
      .array(z.unknown())
      .min(1)
      .max(100)
      .describe('Bodies of `createContent`; one that is wrong refuses only itself'),
  })
  .meta({ id: 'CreateContentBatchBody', example: { items: [createExample, { title: 'Bench notes', type: 'page' }] } });

export type CreateContent = z.output<typeof createContentBody>;
export type UpdateContent = z.output<typeof updateContentBody>;

export const contentListQuery = pageQuery.extend({
  status: z.enum(statuses).optional(),
  type: z.string().max(64).optional(),
  locale: localeText.optional(),
  tag: z.string().max(200).optional(),
  q: z
    .string()
    .max(500)
    .optional()
    .describe(
      'Text that the title, the excerpt or the readable text of the body contains, whatever its case; markup is not searched',
    ),
  updated_since: timestamp.optional(),
});

export type ContentListQuery = z.output<typeof contentListQuery>;

const warningRecord = z.object({ code: z.string(), message: z.string() });

export const contentRecord = z
  .object({
    id: z.uuid(),
    type: z.string(),
    title: z.string(),
    slug: z.string(),
    locale: z.string(),
    url: z.string().describe('Where the item is once it is published'),
    body_html: z.string(),
    excerpt: z.string().nullable(),
    author: z.string().nullable(),
    status: z.enum(statuses),
    scheduled_at: timestampText.nullable(),
    published_at: timestampText.nullable(),
    featured_media_id: z.uuid().nullable(),
    seo_title: z.string().nullable(),
    seo_description: z.string().nullable(),
    tags: z.array(z.string()),
    source_ref: z.string().nullable(),
    translation_of: z.uuid().nullable(),
    created_at: timestampText,
    updated_at: timestampText,
    warnings: z.array(warningRecord).describe('What was removed from the body when it was last written'),
  })
  .meta({ id: 'Content', example: contentExample });

export const trashedRecord = contentRecord
  .extend({ trashed_at: contentRecord.shape.published_at })
  .meta({ id: 'TrashedContent', example: { ...contentExample, trashed_at: sample.at } });

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
        { status: 201, data: contentExample },
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
