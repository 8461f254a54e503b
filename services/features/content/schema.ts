import { z } from 'zod';
import { localeText } from '../../core/locale.ts';
import { pageQuery, text, timestampText } from '../../core/schema.ts';
import { parseTimestamp } from '../../core/timestamp.ts';

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const;
export type Status = (typeof statuses)[number];

/** `YYYY-MM-DDTHH:MM:SSZ` and nothing else (spec: Timestamp rule). */
export const timestamp = z
  .string()
  .meta({
    description: 'UTC, YYYY-MM-DDTHH:MM:SSZ; offsets are rejected',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  })
  .transform((value, ctx) => {
    const date = parseTimestamp(value);
    if (date) return date;
    ctx.addIssue({ code: 'custom', message: 'must be a UTC time of the form YYYY-MM-DDTHH:MM:SSZ' });
    return z.NEVER;
  });

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
  type: itemType,
  title,
  slug: text(2000).nullable(),
  locale: localeText,
  body_html: z.string(),
  excerpt: text(20_000).nullable(),
  author: text(1000).nullable(),
  status: z.enum(statuses),
  scheduled_at: timestamp.nullable(),
  published_at: timestamp.nullable(),
  featured_media_id: uuid.nullable(),
  seo_title: text(2000).nullable(),
  seo_description: text(20_000).nullable(),
  tags: z.array(text(200, 1)).max(maxTags),
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
  type: text(64).optional(),
  locale: localeText.optional(),
  tag: text(200).optional(),
  q: text(500)
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
