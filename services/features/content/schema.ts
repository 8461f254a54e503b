import { z } from 'zod';
import { localeText } from '../../core/locale.ts';
import { pageQuery, timestamp, timestampText } from '../../core/schema.ts';

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const;
export type Status = (typeof statuses)[number];

const maxTags = 200;
const line = (max: number) => z.string().max(max);
const uuid = z.uuid().transform((value) => value.toLowerCase());

const itemType = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_-]*$/, 'must be lowercase letters, digits, _ and -, beginning with a letter');

/** An index holds it, which bounds its bytes: at most three a character. */
export const sourceRef = z.string().min(1, 'must not be empty').max(800);

const title = line(2000)
  .refine((value) => value.trim() !== '', 'must not be empty')
  .meta({ pattern: '\\S' });

/** What a client may write, every member optional but the title on create. */
const writable = {
  type: itemType,
  title,
  slug: line(2000).nullable(),
  locale: localeText,
  body_html: z.string(),
  excerpt: line(20_000).nullable(),
  author: line(1000).nullable(),
  status: z.enum(statuses),
  scheduled_at: timestamp.nullable(),
  published_at: timestamp.nullable(),
  featured_media_id: uuid.nullable(),
  seo_title: line(2000).nullable(),
  seo_description: line(20_000).nullable(),
  tags: z.array(z.string().min(1, 'must not be empty').max(200)).max(maxTags),
  source_ref: sourceRef.nullable(),
  translation_of: uuid.nullable(),
};

const { title: _title, ...optional } = writable;

export const readOnlyContentMembers = ['id', 'url', 'created_at', 'updated_at', 'trashed_at', 'warnings'] as const;

export const createContentBody = z.strictObject({ title, ...z.object(optional).partial().shape });
export const updateContentBody = z.strictObject(z.object(writable).partial().shape);
/** By reference: the path names `source_ref`, so a body may not name another. */
export const upsertContentBody = createContentBody.omit({ source_ref: true }).strict();
/** Each element is checked on its own, so that a wrong one refuses nothing but itself. */
export const batchBody = z.strictObject({ items: z.array(z.unknown()).min(1).max(100) });

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

export const contentRecord = z.object({
  id: z.uuid(),
  type: z.string(),
  title: z.string(),
  slug: z.string(),
  locale: z.string(),
  url: z.string(),
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
  warnings: z.array(warningRecord),
});

const refusal = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export const batchResults = z.object({
  results: z.array(
    z.union([z.object({ status: z.literal(201), data: contentRecord }), z.object({ status: z.int(), error: refusal })]),
  ),
});
