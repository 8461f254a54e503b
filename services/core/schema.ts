import { z } from 'zod';
import { sample } from './sample.ts';
import { maxSlugLength, normaliseSlug } from './slug.ts';
import { parseTimestamp } from './timestamp.ts';

/**
 * Text that is stored and shown as it is: trimmed of nothing, at most `max` characters. What is longer is asked nothing else: a
 * pattern over 4 MiB of text takes a tenth of a second.
 */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : undefined)
    .max(max, { abort: true });

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of any members, which are not looked at one by one: there may be tens of thousands of them. */
export const anyObject = z
  .custom<Record<string, unknown>>(isObject, { message: 'must be an object', abort: true })
  .meta({ type: 'object', additionalProperties: {} });

/** The name of a site, a key, a team and their like, for people: not blank. */
export const nameText = text(200)
  .refine((value) => value.trim() !== '', 'must not be empty')
  .meta({ pattern: '\\S' });

/** What a key or a team is for: slugs of sites, also of sites to come, or `*` for every one; each is kept once. */
export const siteListText = z
  .array(
    z.string().refine((slug) => slug === '*' || normaliseSlug(slug) === slug, {
      error: ({ input }) => `no site can have the slug "${String(input).slice(0, maxSlugLength)}"`,
    }),
  )
  .transform((slugs) => [...new Set(slugs)]);

/** `page` and `per_page`: 20 by default, more than 100 is served as 100 (spec: Limits; contract: Conventions). */
export const pageQuery = z.object({
  page: z
    .string()
    .optional()
    .transform(wholeNumber(1))
    .meta({ description: 'Page number, from 1. Default 1.', type: 'integer', minimum: 1, default: 1 }),
  per_page: z
    .string()
    .optional()
    .transform(wholeNumber(20))
    .transform((n) => Math.min(n, 100))
    .meta({
      description: 'Items a page. Default 20; more than 100 is served as 100.',
      type: 'integer',
      minimum: 1,
      default: 20,
    }),
});

/** Further on there is as little; `pagination.page` cannot tell such numbers from their neighbours, so that it says this one. */
const largestNumber = Number.MAX_SAFE_INTEGER;

function wholeNumber(fallback: number) {
  return (value: string | undefined, ctx: z.RefinementCtx): number => {
    if (value === undefined) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : 0;
    if (number >= 1) return Math.min(number, largestNumber);
    ctx.addIssue({ code: 'custom', message: 'must be a whole number of at least 1' });
    return z.NEVER;
  };
}

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

/** `YYYY-MM-DDTHH:MM:SSZ` in a document about records. */
export const timestampText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .describe('UTC, YYYY-MM-DDTHH:MM:SSZ');
export const uuidText = z.uuid();

/** The reply to a delete that leaves nothing behind (contract: Conventions). */
export const deletedRecord = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'Deleted', example: { id: sample.id, deleted: true } });
