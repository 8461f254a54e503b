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
  /** The author in revisions: `key:…`, `user:…` (of the dashboard), `integration:…` or `scheduler`. */
  changedBy: string;
  writer: Writer;
}

/** Returns the author of a caller's changes, for the revision. */
export const changedByOf = ({ via, id, userId }: Caller): string =>
  via === 'dashboard' ? `user:${userId}` : `${via}:${id}`;

/**
 * Returns the scope with the site as the caller's transaction sees it. A page's slug and a type must not equal a locale
 * of the site, and a locale may have been added since the request began. Posts never conflict with a locale.
 */
export async function onCurrentSite(scope: ContentScope, { type }: { type: string }): Promise<ContentScope> {
  if (type === 'post') return scope;
  const site = await selectSiteById(scope.db, scope.site.id);
  if (!site) throw notFound('site');
  return { ...scope, site };
}
