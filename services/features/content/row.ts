import { contentFields } from '../../core/content-fields.ts';
import {
  type ContentRow,
  columnNames,
  initialValues,
  revisionNames,
  toJsonValue,
  type WritableName,
  type WrittenContent,
  type WrittenName,
  writableNames,
  writtenNames,
} from '../../core/content-model.ts';

import { sameJson } from './same-json.ts';

export type { ContentRow, WrittenContent } from '../../core/content-model.ts';

/** SQL lists of the columns of `content`: all, and those that a write sets. */
export const allColumns = columnNames.join(', ');
export const writtenColumns = writtenNames.join(', ');
export const writtenCount = writtenNames.length;

/** A row without its body, for callers that do not show it. */
export type BodilessRow = Omit<ContentRow, 'body_html' | 'body_hash'>;
export const bodilessColumns = columnNames.filter((name) => name !== 'body_html' && name !== 'body_hash').join(', ');

/** Casts of parameters whose type SQL cannot infer from the column. */
const casts: Readonly<Record<string, string>> = { JSONB: '::JSONB', 'TEXT[]': '::TEXT[]' };
const isJson = (name: WrittenName) => contentFields[name].column === 'JSONB';

/** Returns the SQL parameters of a write, numbered from `from`. */
export function writtenPlaceholders(from: number): string {
  return writtenNames.map((name, index) => `$${from + index}${casts[contentFields[name].column] ?? ''}`).join(', ');
}

/** Returns the values of these parameters. */
export function writtenValues(item: WrittenContent): (string | Date | null | string[])[] {
  return writtenNames.map((name) => (isJson(name) ? JSON.stringify(item[name]) : item[name])) as (string | null)[];
}

/** Returns what a revision stores beside the body: enough to build the page as it was. */
export function revisionRecord(item: WrittenContent): string {
  return JSON.stringify(Object.fromEntries(revisionNames.map((name) => [name, item[name]])));
}

/** Returns a new item with the members of a request, and initial values for the others. */
export function initialContent(request: Partial<Record<WritableName, unknown>>): WrittenContent {
  const given: Partial<Record<string, unknown>> = request;
  return Object.fromEntries(writtenNames.map((name) => [name, given[name] ?? initialValues[name]])) as WrittenContent;
}

/** Returns whether writing `next` would change the row. */
export function isChanged(row: ContentRow, next: WrittenContent): boolean {
  return writtenNames.some((name) => !sameJson(row[name], next[name]));
}

const comparedNames = writableNames.filter((name) => name !== 'body_html');

/** Returns the writable members that differ between two rows, as records show them, without the body. */
export function findChanges(before: BodilessRow, after: BodilessRow): Record<string, { from: unknown; to: unknown }> {
  const pairs = comparedNames.map((name) => [name, toJsonValue(before[name]), toJsonValue(after[name])] as const);
  const changed = pairs.filter(([, from, to]) => !sameJson(from, to));
  return Object.fromEntries(changed.map(([name, from, to]) => [name, { from, to }]));
}
