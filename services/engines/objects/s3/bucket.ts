import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3Config } from '../../../core/config.ts';
import { recordAvailable } from '../../unavailable.ts';
import { type ByteRange, type KeyedStore, requireKey } from '../keyed-store.ts';
import { isBeyondEnd, isMissing, requestStore, storeProblem } from './ask.ts';
import type { S3Connection } from './client.ts';
import { objectSize } from './multipart-object.ts';
import { sendStream } from './send-stream.ts';

const pingTimeoutMs = 5000;

/** Resolves to null if the object is missing. */
async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Loads the client at the first request, so that a process that keeps its objects in files never loads it. */
function connectLater(config: S3Config): () => Promise<S3Connection> {
  let connection: Promise<S3Connection> | undefined;
  return () => {
    connection ??= import('./client.ts').then(({ createMinioClient }) => createMinioClient(config));
    return connection;
  };
}

/** Opens a bucket of an S3 server. */
export function openS3Bucket(config: S3Config): KeyedStore {
  const { bucket, region } = config;
  const connect = connectLater(config);

  async function open(key: string, range?: ByteRange): Promise<Readable> {
    if (range && range.end < range.start) return Readable.from([]);
    const { client } = await connect();
    if (!range) return client.getObject(bucket, key);
    try {
      return await client.getPartialObject(bucket, key, range.start, range.end - range.start + 1);
    } catch (error) {
      if (isBeyondEnd(error)) return Readable.from([]);
      throw error;
    }
  }

  return {
    place: `the object store at ${config.endpoint} with the bucket ${bucket}`,
    async ensure() {
      await requestStore('bucket', async () => {
        const { client } = await connect();
        if (await client.bucketExists(bucket)) return;
        await client.makeBucket(bucket, region).catch(async (error: unknown) => {
          // another replica may have created it concurrently
          if (!(await client.bucketExists(bucket))) throw error;
        });
      });
    },
    async ping() {
      return requestStore('bucket', async () => (await connect()).client.bucketExists(bucket), {
        timeoutMs: pingTimeoutMs,
      });
    },
    async put(key, data) {
      requireKey(key);
      await requestStore('put', async () => (await connect()).client.putObject(bucket, key, data, data.length));
    },
    async putStream(key, source, length = {}) {
      requireKey(key);
      await sendStream(await connect(), { bucket, key }, source, length);
    },
    async getStream(key, range) {
      requireKey(key);
      return unlessMissing(() => requestStore('get', () => open(key, range)));
    },
    async get(key, range) {
      requireKey(key);
      const read = async (signal: AbortSignal) => buffer(addAbortSignal(signal, await open(key, range)));
      return unlessMissing(() => requestStore('read', read));
    },
    async size(key) {
      requireKey(key);
      return requestStore('get', async () => objectSize(await connect(), bucket, key));
    },
    async *list(prefix) {
      const { client } = await connect();
      try {
        for await (const item of client.listObjectsV2(bucket, prefix, true)) {
          yield { key: item.name as string, bytes: item.size as number, modifiedAt: item.lastModified as Date };
        }
        recordAvailable('objects', 'S3 list');
      } catch (error) {
        throw storeProblem(error, 'list');
      }
    },
    async remove(keys) {
      for (const key of keys) {
        requireKey(key);
        await requestStore('delete', async () => (await connect()).client.removeObject(bucket, key));
      }
    },
    async requireSpace() {}, // its disk is on another machine
  };
}
