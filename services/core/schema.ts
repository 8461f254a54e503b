import { z } from 'zod';
import { sample } from './sample.ts';
import { maxSlugLength, normaliseSlug } from './slug.ts';
import { parseTimestamp } from './timestamp.ts';

/**
 * Returns the schema of a text that is stored and shown unchanged: not trimmed, at most `max` characters. Longer text
 * is rejected before other checks: a pattern over 4 MiB of text takes a tenth of a second.
 */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : undefined)
    .max(max, { abort: true });

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with any members, which are not validated one by one: there may be tens of thousands of them. */
export const anyObject = z
  .custom<Record<string, unknown>>(isObject, { message: 'must be an object', abort: true })
  .meta({ type: 'object', additionalProperties: {} });

/** The display name of a site, a key, a team and the like: not blank. */
export const nameText = text(200)
  .refine((value) => value.trim() !== '', 'must not be empty')
  .meta({ pattern: '\\S' });

/** The sites of a key or team: slugs, also of future sites, or `*` for every one; duplicates are removed. */
export const siteListText = z
  .array(
    z.string().refine((slug) => slug === '*' || normaliseSlug(slug) === slug, {
      error: ({ input }) => `no site can have the slug "${String(input).slice(0, maxSlugLength)}"`,
    }),
  )
  .transform((slugs) => [...new Set(slugs)]);

/** `page` and `per_page`: 20 by default, values above 100 become 100 (spec: Limits; contract: Conventions). */
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
      description: 'Items a page. Default 20; larger values become 100.',
      type: 'integer',
      minimum: 1,
      default: 20,
    }),
});

/**
 * Larger page numbers are reduced to this one: their pages are empty too, and `pagination.page` could not represent
 * them exactly.
 */
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

/** `YYYY-MM-DDTHH:MM:SSZ` in records. */
export const timestampText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .describe('UTC, YYYY-MM-DDTHH:MM:SSZ');
export const uuidText = z.uuid();

/** The reply to a delete that keeps nothing (contract: Conventions). */
export const deletedRecord = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'Deleted', example: { id: sample.id, deleted: true } });
