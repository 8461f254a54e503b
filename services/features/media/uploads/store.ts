import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/utils';
import { notFound } from '../../../core/errors.ts';
import { createChunkReader } from '../../../engines/objects/chunk-reader.ts';
import type { App } from '../../app.ts';
import { type Change, recordChange } from '../../audit/index.ts';
import { selectSiteBySlug } from '../../sites/index.ts';
import { readWithIdleTimeout } from '../idle.ts';
import { appendBytes, partBytes } from './append.ts';
import { readMetadata } from './metadata.ts';
import { deleteUpload, insertUpload, selectUpload, type UploadRow } from './sql.ts';

/** Unfinished uploads are deleted after this time. */
export const uploadKeptMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Splits a body into parts, each to be read to its end before the next; what was received before an error is also a
 * part.
 */
async function* splitIntoParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<AsyncIterable<Buffer>> {
  const reader = createChunkReader(chunks);
  let failure: { error: unknown } | undefined;
  async function next(max: number): Promise<Buffer | null> {
    if (failure) return null;
    try {
      return await reader.next(max);
    } catch (error) {
      failure = { error };
      return null;
    }
  }
  async function* readPart(first: Buffer): AsyncGenerator<Buffer> {
    let left = partBytes;
    for (let chunk: Buffer | null = first; chunk; chunk = left > 0 ? await next(left) : null) {
      left -= chunk.length;
      yield chunk;
    }
  }
  for (let first = await next(partBytes); first; first = await next(partBytes)) yield readPart(first);
  if (failure) throw failure.error;
}

/** The site of an upload that is under way. */
const siteOf = ({ site_id, site_slug }: UploadRow) => ({ id: site_id, slug: site_slug });

const changeOf = (
  operation: string,
  { id, slug }: { id: string; slug: string },
  upload: Pick<Upload, 'id' | 'metadata'>,
): Change => ({
  operation,
  site: { id, slug },
  target: { kind: 'uploads', id: upload.id, name: readMetadata(upload.metadata ?? {}).filename },
});

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
      await app.db.transaction(async (tx) => {
        await insertUpload(tx, {
          id: upload.id,
          site_id: site.id,
          length: upload.size!,
          metadata: upload.metadata ?? {},
          created_by: currentUser(),
        });
        await recordChange(tx, changeOf('beginUpload', site, upload));
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
      const upload = await read(id);
      await app.db.transaction(async (tx) => {
        await deleteUpload(tx, id);
        await recordChange(tx, changeOf('cancelUpload', siteOf(upload), upload));
      });
    },
    getExpiration: () => uploadKeptMs,
  });
}
