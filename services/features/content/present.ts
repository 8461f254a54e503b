import type { Site } from '../../core/http.ts';
import { formatTimestamp, timestampOrNull } from '../../core/timestamp.ts';
import type { App } from '../app.ts';
import { itemUrl } from '../publishing/paths.ts';
import type { ContentRow } from './row.ts';

/** The record of an item (contract: Records). `bodyHtml` is given because a large body does not lie in the row. */
function presentContent(row: ContentRow, bodyHtml: string, site: Site, config: App['config'], withTrash: boolean) {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    slug: row.slug,
    locale: row.locale,
    url: itemUrl(row, site, config),
    body_html: bodyHtml,
    excerpt: row.excerpt,
    author: row.author,
    status: row.status,
    scheduled_at: timestampOrNull(row.scheduled_at),
    published_at: timestampOrNull(row.published_at),
    featured_media_id: row.featured_media_id,
    seo_title: row.seo_title,
    seo_description: row.seo_description,
    tags: row.tags,
    source_ref: row.source_ref,
    translation_of: row.translation_of,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    warnings: row.warnings,
    ...(withTrash ? { trashed_at: timestampOrNull(row.trashed_at) } : {}),
  };
}

export type ContentRecord = ReturnType<typeof presentContent>;

/** The body of an item, from its row or, when it is large, from the object store. */
export async function loadBody(objects: App['objects'], row: ContentRow): Promise<string> {
  return row.body_hash ? (await objects.getBytes(row.body_hash)).toString('utf8') : row.body_html;
}

/** The record of a row; `withTrash` adds `trashed_at`. */
export async function loadContent(
  app: Pick<App, 'objects' | 'config'>,
  site: Site,
  row: ContentRow,
  withTrash = false,
): Promise<ContentRecord> {
  return presentContent(row, await loadBody(app.objects, row), site, app.config, withTrash);
}
