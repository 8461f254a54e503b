import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

const maxValueChars = 200;

/** A single value as filters name it: its text, or the hash of a long one. */
export function filterValue(value: string | number | boolean): string {
  const text = String(value);
  return text.length <= maxValueChars ? `=${text}` : `#${createHash('sha256').update(text).digest('hex')}`;
}

const isSingle = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The members of `fields` that have a single value, whether their schema makes filters of them or not: that may change. */
export function filterValuesOf(fields: Json): [name: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]) => (isSingle(value) ? [[name, filterValue(value)]] : []));
}
