import { z } from 'zod';
import { timestampText } from '../../core/schema.ts';

const keyMembers = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  sites: z.array(z.string()),
  expires_at: timestampText.nullable(),
};
const keyRecord = z.object({
  ...keyMembers,
  user: z.string(),
  created_at: timestampText,
  last_used_at: timestampText.nullable(),
  revoked_at: timestampText.nullable(),
});
/** `key` is the whole key, which is shown only once. */
export const createdKeyRecord = z.object({ ...keyMembers, key: z.string() });

/** `scopes`: what each scope allows. */
export const keysRecord = z.object({ keys: z.array(keyRecord), scopes: z.record(z.string(), z.string()) });
