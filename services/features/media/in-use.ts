import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { App } from '../app.ts';
import { readLiveMedia } from '../publishing/service.ts';

/** Whether a page of the live release shows the item. */
export async function isMediaLive(
  scope: { app: Pick<App, 'objects'>; db: Db; site: Pick<Site, 'id'> },
  id: string,
): Promise<boolean> {
  return (await readLiveMedia(scope.app, scope.db, scope.site.id)).has(id);
}
