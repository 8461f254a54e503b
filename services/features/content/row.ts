import type { CleanBody } from '../app.ts';
import type { Status } from './schema.ts';

/** One item as its row has it. A body above 256 KiB lies in the object store under `body_hash`. */
export interface ContentRow {
  id: string;
  site_id: string;
  revision: number;
  type: string;
  title: string;
  slug: string;
  locale: string;
  body_html: string;
  body_hash: string | null;
  excerpt: string | null;
  author: string | null;
  status: Status;
  scheduled_at: Date | null;
  published_at: Date | null;
  featured_media_id: string | null;
  seo_title: string | null;
  seo_description: string | null;
  tags: string[];
  source_scope: string;
  source_ref: string | null;
  translation_of: string | null;
  warnings: CleanBody['warnings'];
  created_at: Date;
  updated_at: Date;
  trashed_at: Date | null;
}

/** Columns that a write sets; the others follow. The order is that of the statements. */
export const writtenColumns = [
  'type',
  'title',
  'slug',
  'locale',
  'body_html',
  'body_hash',
  'excerpt',
  'author',
  'status',
  'scheduled_at',
  'published_at',
  'featured_media_id',
  'seo_title',
  'seo_description',
  'tags',
  'source_scope',
  'source_ref',
  'translation_of',
  'warnings',
] as const satisfies readonly (keyof ContentRow)[];

export type WrittenContent = Pick<ContentRow, (typeof writtenColumns)[number]>;

const readColumns = ['id', 'site_id', 'revision', ...writtenColumns, 'created_at', 'updated_at', 'trashed_at'];
export const allColumns = readColumns.join(', ');

/** A row without its body, for readers that do not show it. */
export type BodilessRow = Omit<ContentRow, 'body_html' | 'body_hash'>;
export const bodilessColumns = readColumns.filter((name) => name !== 'body_html' && name !== 'body_hash').join(', ');

export function writtenValues(item: WrittenContent): (string | Date | null | string[])[] {
  return writtenColumns.map((column) => (column === 'warnings' ? JSON.stringify(item.warnings) : item[column]));
}

const notInRevision = new Set<string>(['body_html', 'body_hash', 'warnings']);

/** What a revision keeps beside the body: enough to build the page as it was. */
export function revisionRecord(item: WrittenContent): string {
  const kept = writtenColumns.filter((column) => !notInRevision.has(column));
  return JSON.stringify(Object.fromEntries(kept.map((column) => [column, item[column]])));
}
