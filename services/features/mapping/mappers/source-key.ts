import { z } from 'zod';
import { invalid } from '../../../core/errors.ts';
import { nonEmptyText } from './mapper.ts';

const error = ({ input }: { input?: unknown }) =>
  input === undefined ? 'is required' : 'must be a string or a number';

/** A source's required key of an item. */
export const sourceKey = z.union([nonEmptyText, z.number()], { error });

/** A source's optional key of an item. */
export const optionalSourceKey = z.union([z.string(), z.number()], { error }).nullish();

/** Returns a number of the payload as it was written; null when that cannot be determined. */
function writtenNumber(raw: string, member: string): string | null {
  const written = new Map<unknown, string>();
  const keep = function keepSource(this: unknown, name: string, value: unknown, context?: { source?: string }) {
    if (name === member && typeof value === 'number' && context?.source) written.set(this, context.source);
    return value;
  };
  try {
    return written.get(JSON.parse(raw, keep as (this: unknown, name: string, value: unknown) => unknown)) ?? null;
  } catch {
    return null; // nested too deeply for the reviver
  }
}

/**
 * Returns the key of an item. A number that a double cannot represent is keyed as written, so that two long ones never
 * become one; all other notations of a number have the same key. Throws `validation_failed` for a key that cannot be
 * stored.
 */
export function keyOfSource(member: string, value: string | number, raw: string): string {
  const isExact = typeof value === 'string' || Number.isSafeInteger(value);
  const key = (isExact ? null : writtenNumber(raw, member)) ?? String(value);
  if (key.length > 1000) throw invalid([{ path: member, message: 'must be at most 1000 characters' }]);
  return key;
}
