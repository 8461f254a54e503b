import { z } from 'zod';
import { isHttpUrl } from '../../core/http-url.ts';
import { sample } from '../../core/sample.ts';
import { pageQuery, text, timestampText } from '../../core/schema.ts';
import { isRequestable } from './canonical.ts';

const maxLength = 2048;

/** Rejects dot segments and needless escapes, with which one path could have many spellings. */
function isNormalPath(path: string): boolean {
  const needlessEscape = /%(2[de]|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;
  const dotSegment = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
  return !needlessEscape.test(path) && !dotSegment.test(path) && !/\/\//.test(path);
}

const notRequestable = 'must be percent-encoded UTF-8 without control characters';

/** A path of the site as a browser sends it: one leading slash, no query, no characters that need encoding. */
const path = text(maxLength)
  .refine((value) => Buffer.byteLength(value) <= maxLength, `must be at most ${maxLength} bytes`) // it is indexed
  .regex(
    /^\/(?!\/)[^\s?#\\\u0000-\u001f\u007f-\u009f]*$/,
    'must be a path that begins with one slash, without query, fragment or spaces',
  )
  .refine(
    isNormalPath,
    'must be a path in its plain form, without . or .. segments, double slashes and needless escapes',
  )
  .refine(isRequestable, notRequestable);

const target = text(maxLength)
  .refine(
    (value) => /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(value) || isHttpUrl(value),
    'must be a path that begins with one slash, or an http(s) URL',
  )
  .refine((value) => !value.startsWith('/') || isRequestable(value.replace(/[?#].*$/s, '')), notRequestable);

export const redirectStatuses = [301, 302, 307, 308] as const;
const status = z.union(
  redirectStatuses.map((code) => z.literal(code)),
  'must be 301, 302, 307 or 308',
);

export const createRedirectBody = z
  .strictObject({
    from: path.describe('A path of the site'),
    to: target.describe('A path of the site, or a URL'),
    status: status.default(301),
  })
  .meta({ id: 'CreateRedirectBody', example: { from: '/old/', to: '/new/', status: 301 } });
export const updateRedirectBody = z
  .strictObject({
    from: path.optional(),
    to: target.optional(),
    status: status.optional(),
  })
  .meta({ id: 'UpdateRedirectBody', example: { to: '/newer/' } });
export const redirectListQuery = pageQuery.extend({
  q: z.string().max(500).optional().describe('Text contained in `from` or `to`, case-insensitive'),
});
export const readOnlyRedirectMembers = ['id', 'created_at'] as const;

export const redirectRecord = z
  .object({
    id: z.uuid(),
    from: z.string(),
    to: z.string(),
    status: z.int(),
    created_at: timestampText,
  })
  .meta({ id: 'Redirect', example: { id: sample.id, from: '/old/', to: '/new/', status: 301, created_at: sample.at } });
