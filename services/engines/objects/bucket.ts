import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3Config } from '../../core/config.ts';
import { askStore, createMinioClient, isMissing, type MinioClient } from './client.ts';

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  modifiedAt: Date;
}

/** A bucket with keys of the caller's choosing, beside the content-addressed store. Null = not there. */
export interface Bucket {
  ensure(): Promise<void>;
  put(key: string, data: Buffer): Promise<void>;
  /** Stores exactly `bytes` bytes of a stream. */
  putStream(key: string, source: Readable, bytes: number): Promise<void>;
  get(key: string): Promise<Buffer | null>;
  getStream(key: string, range?: ByteRange): Promise<Readable | null>;
  list(prefix: string): AsyncIterable<StoredObject>;
  remove(keys: readonly string[]): Promise<void>;
}

const longTimeoutMs = 60 * 60 * 1000;

/** Opens the bucket of the settings. Every method but `list` throws a Problem `unavailable` while the store is down. */
export function openBucket(config: S3Config): Bucket {
  return createBucket(createMinioClient(config).client, config);
}

/** The same by a client that the caller has already. */
export function createBucket(client: MinioClient, { bucket, region }: Pick<S3Config, 'bucket' | 'region'>): Bucket {
  async function getStream(key: string, range?: ByteRange): Promise<Readable | null> {
    if (range && range.end < range.start) return Readable.from([]);
    try {
      return await askStore<Readable>('get', async () => {
        const store = await client();
        return range
          ? store.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : store.getObject(bucket, key);
      });
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return {
    getStream,
    async ensure() {
      await askStore('bucket', async () => {
        const store = await client();
        if (await store.bucketExists(bucket)) return;
        await store.makeBucket(bucket, region).catch(async (error: unknown) => {
          // another replica may have made it at the same moment
          if (!(await store.bucketExists(bucket))) throw error;
        });
      });
    },
    async put(key, data) {
      await askStore('put', async () => (await client()).putObject(bucket, key, data, data.length));
    },
    async putStream(key, source, bytes) {
      await askStore('put', async () => (await client()).putObject(bucket, key, source, bytes), {
        retry: false,
        timeoutMs: longTimeoutMs,
      });
    },
    async get(key) {
      const stream = await getStream(key);
      return stream && askStore('read', (signal) => buffer(addAbortSignal(signal, stream)), { retry: false });
    },
    async *list(prefix) {
      for await (const item of (await client()).listObjectsV2(bucket, prefix, true)) {
        yield { key: item.name as string, modifiedAt: item.lastModified as Date };
      }
    },
    async remove(keys) {
      for (const key of keys) await askStore('delete', async () => (await client()).removeObject(bucket, key));
    },
  };
}
