import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type * as Minio from 'minio';
import type { S3Config } from '../../core/config.ts';
import { askStore, createMinioClient, isMissing } from './client.ts';

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
export function createBucket(client: Minio.Client, { bucket, region }: Pick<S3Config, 'bucket' | 'region'>): Bucket {
  async function getStream(key: string, range?: ByteRange): Promise<Readable | null> {
    if (range && range.end < range.start) return Readable.from([]);
    try {
      return await askStore<Readable>('get', () =>
        range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key),
      );
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return {
    getStream,
    async ensure() {
      await askStore('bucket', async () => {
        if (await client.bucketExists(bucket)) return;
        await client.makeBucket(bucket, region).catch(async (error: unknown) => {
          // another replica may have made it at the same moment
          if (!(await client.bucketExists(bucket))) throw error;
        });
      });
    },
    async put(key, data) {
      await askStore('put', () => client.putObject(bucket, key, data, data.length));
    },
    async putStream(key, source, bytes) {
      await askStore('put', () => client.putObject(bucket, key, source, bytes), {
        retry: false,
        timeoutMs: longTimeoutMs,
      });
    },
    async get(key) {
      const stream = await getStream(key);
      return stream && askStore('read', (signal) => buffer(addAbortSignal(signal, stream)), { retry: false });
    },
    async *list(prefix) {
      for await (const item of client.listObjectsV2(bucket, prefix, true)) {
        yield { key: item.name as string, modifiedAt: item.lastModified as Date };
      }
    },
    async remove(keys) {
      for (const key of keys) await askStore('delete', () => client.removeObject(bucket, key));
    },
  };
}
