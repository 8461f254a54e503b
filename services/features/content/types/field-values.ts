import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

const maxValueChars = 200;

/** Returns the stored form of a single value for filters: its text, or its hash if it is long. */
export function filterValue(value: string | number | boolean): string {
  const text = String(value);
  return text.length <= maxValueChars ? `=${text}` : `#${createHash('sha256').update(text).digest('hex')}`;
}

const isSingle = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Returns all members of `fields` with a single value, even if the schema does not mark them as filters yet. */
export function filterValuesOf(fields: Json): [name: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]) => (isSingle(value) ? [[name, filterValue(value)]] : []));
}
