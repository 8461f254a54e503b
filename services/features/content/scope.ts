import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { App } from '../app.ts';

/** What the functions of this feature need: the caller's transaction or pool, the site, and who makes the change. */
export interface ContentScope {
  app: Pick<App, 'objects' | 'config'>;
  db: Db;
  site: Site;
  /** For the revision: `key:…`, `integration:…`, `scheduler`. */
  changedBy: string;
}
