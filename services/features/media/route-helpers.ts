import { randomUUID } from 'node:crypto';
import { type FetchedFile, mediaFetchTimeoutMs, mediaFetchType } from '../../../workflows/contracts/media.ts';
import { requireId } from '../../core/ids.ts';
import { tagOf } from '../../core/reply.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import type { App } from '../app.ts';
import type { Input } from '../route.ts';
import { requireUrl } from './import.ts';
import { presentMedia } from './present.ts';
import { missingFile } from './receive.ts';
import type { StoredFile } from './row.ts';
import type { CreateBody } from './schema.ts';
import { selectMedia } from './sql.ts';

/** The tag and the name of media items in messages. */
export const tag = 'Media';
export const what = 'media item';

/**
 * Returns the stored file of a request. A worker fetches a URL, because the gateway never fetches from outside (design:
 * facts).
 */
export async function obtainFile({ actors }: App, { file, url }: CreateBody, siteId: string): Promise<StoredFile> {
  if (file) return file.stored;
  if (url === undefined) throw missingFile();
  requireUrl(url);
  return actors.run<FetchedFile>(mediaFetchType, {
    id: `media-fetch:${randomUUID()}`,
    input: { url, siteId },
    timeoutMs: mediaFetchTimeoutMs,
  });
}

/** The tag of an item in or outside the trash, where the operation works; elsewhere the handler reports the error. */
export const readTag =
  (inTrash: boolean) =>
  async ({ app, db, site, params }: Input): Promise<string | undefined> => {
    const id = requireId(params.id, what);
    await lockRow(db, 'media', { id });
    const row = await selectMedia(db, site.id, id);
    return row && (row.trashed_at !== null) === inTrash ? tagOf(presentMedia(app.config, row)) : undefined;
  };
