import { z } from 'zod';
import { contentFields } from '../../../core/content-fields.ts';
import { uuidText } from '../../../core/schema.ts';

/** Changes of one request: few enough for one transaction. */
export const maxChanges = 100;

const { status, scheduled_at, published_at, tags } = contentFields;

export const bulkBody = z.strictObject({
  action: z.enum(['update', 'trash', 'restore']),
  /** For `update`: tags that every item gets or loses; its other tags stay. */
  add_tags: tags.write.optional(),
  remove_tags: tags.write.optional(),
  items: z
    .array(
      z.strictObject({
        id: uuidText,
        /** For `update`: the members that change, each with its new value. */
        status: status.write.optional(),
        scheduled_at: scheduled_at.write.optional(),
        published_at: published_at.write.optional(),
      }),
    )
    .min(1)
    .max(maxChanges),
});

export const bulkRecord = z.object({
  /** One for each item, in their order; null if it was changed. */
  refusals: z.array(z.object({ code: z.string(), message: z.string() }).nullable()),
});
