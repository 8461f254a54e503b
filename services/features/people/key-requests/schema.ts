import { z } from 'zod';
import { nameText, siteListText, text, timestampText } from '../../../core/schema.ts';
import { isScope, scopes } from '../../../core/scopes.ts';

const codeText = text(40, 1);
const tokenText = text(100, 1);

export const keyRequestBody = z.strictObject({
  name: nameText,
  scopes: z
    .array(z.string().refine(isScope, { error: ({ input }) => `there is no scope "${String(input).slice(0, 100)}"` }))
    .min(1, 'must name at least one scope')
    .max(Object.keys(scopes).length)
    .transform((names) => [...new Set(names)]),
  sites: siteListText.refine(({ length }) => length > 0 && length <= 100, "must name 1 to 100 sites, or '*'"),
});
/**
 * Maximum time for which one claim request waits. Short enough that a command line and a browser behind one IP address
 * stay within the limit of attempts, and that a stopping gateway can finish the request.
 */
const maxWaitSeconds = 12;

export const claimBody = z.strictObject({
  token: tokenText,
  wait_seconds: z.int().min(0).max(maxWaitSeconds).default(0),
});
export const requestCodeBody = z.strictObject({ code: codeText });

/** A new request, for the command line. */
export const openedRequest = z.object({
  token: z.string(),
  code: z.string(),
  url: z.string(),
  expires_at: timestampText,
});

/** The state of a request, for the command line; the key is shown this once. */
export const claimRecord = z.object({
  status: z.enum(['open', 'approved']),
  user: z.string().nullable(),
  key: z
    .object({
      id: z.string(),
      key: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      sites: z.array(z.string()),
    })
    .nullable(),
});

/** A request, for the page that approves it. */
export const keyRequestRecord = z.object({
  code: z.string(),
  name: z.string(),
  scopes: z.array(z.object({ scope: z.string(), description: z.string() })),
  sites: z.array(z.string()),
  address: z.string(),
  created_at: timestampText,
  expires_at: timestampText,
});
