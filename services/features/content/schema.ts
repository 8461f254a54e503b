import { z } from 'zod';
import { contentFields, statuses } from '../../core/content-fields.ts';
import { recordNames, recordShape, writeShape } from '../../core/content-model.ts';
import { localeText } from '../../core/locale.ts';
import { pageQuery, timestamp } from '../../core/schema.ts';

const { title, ...optional } = writeShape;

export const readOnlyContentMembers = [...recordNames.filter((name) => !(name in writeShape)), 'trashed_at'] as const;

export const createContentBody = z.strictObject({ title, ...z.object(optional).partial().shape });
export const updateContentBody = z.strictObject(z.object(writeShape).partial().shape);
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

export const contentRecord = z.object(recordShape);
export const trashedRecord = contentRecord.extend({ trashed_at: contentFields.trashed_at.value });

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
