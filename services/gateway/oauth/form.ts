import { InvalidRequestError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { type Context, headerOf } from '../context.ts';
import { readBytes } from '../stages/read-bytes.ts';

const maxFormBytes = 64 * 1024;

/** Reads a form of at most 64 KiB. Throws 413, and `invalid_request` for another content type. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  const bytes = await readBytes(ctx, maxFormBytes);
  const [type] = (headerOf(ctx, 'content-type') ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new InvalidRequestError('Send the parameters as application/x-www-form-urlencoded.');
  const text = bytes.toString();
  if (text.includes('%00') || text.includes('\0')) throw new InvalidRequestError('A parameter contains NUL.');
  return new URLSearchParams(text);
}
