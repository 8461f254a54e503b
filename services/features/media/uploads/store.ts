import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/utils';
import { notFound } from '../../../core/errors.ts';
import type { App } from '../../app.ts';
import { selectSiteBySlug } from '../../sites/index.ts';
import { readWithIdleTimeout } from '../idle.ts';
import { appendBytes } from './append.ts';
import { readMetadata } from './metadata.ts';
import { deleteUpload, insertUpload, selectUpload } from './sql.ts';

/** Bytes that a lost process can lose, and memory that an upload uses. */
const partBytes = 4 * 1024 * 1024;
/** Unfinished uploads are deleted after this time. */
export const uploadKeptMs = 7 * 24 * 60 * 60 * 1000;

/** Splits a body into parts; what was received before an error is also a part. */
async function* splitIntoParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  const take = () => {
    const part = Buffer.concat(held);
    held = [];
    bytes = 0;
    return part;
  };
  let failure: { error: unknown } | null = null;
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      bytes += chunk.length;
      if (bytes >= partBytes) yield take();
    }
  } catch (error) {
    failure = { error };
  }
  if (bytes > 0) yield take();
  if (failure) throw failure.error;
}

/**
 * Creates the store of tus uploads: bytes are in the object store and the state is in SQL, so that any replica can
 * continue an upload. Of two concurrent writes at one offset, one is refused with `conflict`. `currentUser` returns the
 * user of the current request.
 */
export function createUploadStore(app: App, currentUser: () => string | null): DataStore {
  const store = new DataStore();
  store.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];

  async function read(id: string) {
    const row = await selectUpload(app.db, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }

  return Object.assign(store, {
    async create(upload: Upload): Promise<Upload> {
      const { site: slug } = readMetadata(upload.metadata ?? {});
      const site = await selectSiteBySlug(app.db, slug);
      if (!site) throw notFound('site');
      await insertUpload(app.db, {
        id: upload.id,
        site_id: site.id,
        length: upload.size!,
        metadata: upload.metadata ?? {},
        created_by: currentUser(),
      });
      return upload;
    },
    async write(stream: Readable, id: string, offset: number): Promise<number> {
      let row = await read(id);
      if (row.received !== offset) throw ERRORS.INVALID_OFFSET;
      for await (const part of splitIntoParts(readWithIdleTimeout(stream, app.config.bodyTimeoutMs))) {
        row = await appendBytes(app, row, part);
      }
      return row.received;
    },
    async getUpload(id: string): Promise<Upload> {
      const { length, received, metadata, created_at } = await read(id);
      return new Upload({ id, size: length, offset: received, metadata, creation_date: created_at.toISOString() });
    },
    async remove(id: string): Promise<void> {
      await deleteUpload(app.db, (await read(id)).id);
    },
    getExpiration: () => uploadKeptMs,
  });
}
