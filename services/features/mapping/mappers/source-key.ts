import { z } from 'zod';
import { invalid } from '../../../core/errors.ts';
import { nonEmptyText } from './mapper.ts';

const error = ({ input }: { input?: unknown }) =>
  input === undefined ? 'is required' : 'must be a string or a number';

/** What a source calls its item, where it must say so. */
export const sourceKey = z.union([nonEmptyText, z.number()], { error });

/** The same where it may leave it out. */
export const optionalSourceKey = z.union([z.string(), z.number()], { error }).nullish();

/** The number that a member of the payload has, as it was written there; null where that cannot be told. */
function writtenNumber(raw: string, member: string): string | null {
  const written = new Map<unknown, string>();
  const keep = function keepSource(this: unknown, name: string, value: unknown, context?: { source?: string }) {
    if (name === member && typeof value === 'number' && context?.source) written.set(this, context.source);
    return value;
  };
  try {
    return written.get(JSON.parse(raw, keep as (this: unknown, name: string, value: unknown) => unknown)) ?? null;
  } catch {
    return null; // nested too deep for the reviver
  }
}

/**
 * The key of an item. A number is keyed as it was written where a double cannot hold it, so that two long ones never become
 * one; any other way of writing one number is that number. Throws `validation_failed` for a key that cannot be stored.
 */
export function keyOfSource(member: string, value: string | number, raw: string): string {
  const isExact = typeof value === 'string' || Number.isSafeInteger(value);
  const key = (isExact ? null : writtenNumber(raw, member)) ?? String(value);
  if (key.length > 1000) throw invalid([{ path: member, message: 'must be at most 1000 characters' }]);
  return key;
}
