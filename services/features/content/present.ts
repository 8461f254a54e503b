import { type ContentMembers, createRowReader, recordNames, toJsonValue } from '../../core/content-model.ts';
import type { Site } from '../../core/http.ts';
import type { LargeText } from '../../core/large-list.ts';
import { itemUrl } from '../../core/public-paths.ts';
import { tagOf } from '../../core/reply.ts';
import type { ReadBytes } from '../../engines/objects/held-objects.ts';
import { largeText } from '../../engines/objects/large-text.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import type { App } from '../app.ts';
import type { ListedRow } from './list-sql.ts';
import type { BodilessRow, ContentRow } from './row.ts';

const readRecord = createRowReader(recordNames);

/**
 * Returns the record of an item (contract: Records). `bodyHtml` is passed separately because the row does not contain a
 * large body.
 */
function presentContent<Body>(
  row: BodilessRow,
  bodyHtml: Body,
  site: Site,
  config: App['config'],
  withTrash: boolean,
): PresentedContent<Body> {
  const record = readRecord(row);
  record['url'] = itemUrl(row, site, config);
  record['body_html'] = bodyHtml;
  if (withTrash) record['trashed_at'] = toJsonValue(row.trashed_at);
  return record as unknown as PresentedContent<Body>;
}

type PresentedContent<Body> = Omit<ContentMembers, 'body_html'> & { body_html: Body; trashed_at?: string | null };
/** An item as its record shows it; a large body is read while the response is sent. */
export type ContentRecord = PresentedContent<string | LargeText>;

/** Reads the body of an item, from its row or, when it is large, from the object store. */
export async function loadBody(objects: ReadBytes, row: ContentRow): Promise<string> {
  return row.body_hash ? (await objects.getBytes(row.body_hash)).toString('utf8') : row.body_html;
}

/** Returns the record of a row; `withTrash` adds `trashed_at`. A body in the object store becomes a `LargeText`. */
export function presentItem(
  { objects, config }: Pick<App, 'objects' | 'config'>,
  site: Site,
  row: ContentRow,
  withTrash = false,
): ContentRecord {
  const body = row.body_hash ? largeText(objects, row.body_hash) : row.body_html;
  return presentContent(row, body, site, config, withTrash);
}

/** Returns the record of a row that was read without its body: `body_html` is undefined, for responses that omit it. */
export function presentBodiless(app: Pick<App, 'config'>, site: Site, row: BodilessRow) {
  return presentContent(row, undefined, site, app.config, false);
}

/**
 * Returns the entity tag of an item, computed over its record with the revision in place of the body, so that the body
 * is not read.
 */
export function itemTag({ config }: Pick<App, 'config'>, site: Site, row: BodilessRow): string {
  return tagOf({ ...presentContent(row, undefined, site, config, true), revision: row.revision });
}

/**
 * Returns the records of listed rows. A body in the object store becomes a `LargeText`, read while the response is
 * sent; for rows without bodies `body_html` is undefined. Throws MissingObject for a body that is not in the store.
 */
export async function presentListed(
  app: Pick<App, 'objects' | 'config'>,
  site: Site,
  rows: readonly ListedRow[],
  withTrash = false,
) {
  const places = await app.objects.locate(rows.flatMap(({ body_hash }) => body_hash ?? []));
  const bodyOf = ({ body_hash, body_html }: ListedRow): string | LargeText | undefined => {
    if (!body_hash) return body_html;
    const place = places.get(body_hash);
    if (!place) throw new MissingObject(`Nothing is stored under ${body_hash}.`);
    return largeText(app.objects, body_hash, 'utf8', place);
  };
  return rows.map((row) => presentContent(row, bodyOf(row), site, app.config, withTrash));
}
