import { z } from 'zod';

export const rightsRecord = z.object({
  may_write: z.boolean(),
  /** Why the person may not change the item. */
  reason: z.string().nullable(),
  has_draft: z.boolean(),
});
