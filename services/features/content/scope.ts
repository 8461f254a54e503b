import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import type { Caller, Site } from '../../core/http.ts';
import type { Writer } from '../../core/roles.ts';
import type { App } from '../app.ts';
import { selectSiteById } from '../sites/index.ts';

/** What the functions of this feature need: the caller's transaction or pool, the site, and who makes the change. */
export interface ContentScope {
  app: Pick<App, 'objects' | 'config'>;
  db: Db;
  site: Site;
  /** For the revision: `key:…`, `user:…` (of the dashboard), `integration:…` or `scheduler`. */
  changedBy: string;
  writer: Writer;
}

/** Returns the author of a caller's changes, for the revision. */
export const changedByOf = ({ via, id, userId }: Caller): string =>
  via === 'dashboard' ? `user:${userId}` : `${via}:${id}`;

/**
 * The scope with the site as the caller's transaction sees it, for what becomes an item's address: a page's slug, or a type, must
 * be none of the site's locales, and one may have been added since the request began. Posts share no address with a locale.
 */
export async function onCurrentSite(scope: ContentScope, { type }: { type: string }): Promise<ContentScope> {
  if (type === 'post') return scope;
  const site = await selectSiteById(scope.db, scope.site.id);
  if (!site) throw notFound('site');
  return { ...scope, site };
}
