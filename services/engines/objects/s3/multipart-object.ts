import { isMissing, requestStore } from './ask.ts';
import type { S3Connection } from './client.ts';
import { putKnown } from './put-stream.ts';

/** Returns the size of an object in bytes; null if it does not exist. */
export async function objectSize({ client }: S3Connection, bucket: string, key: string): Promise<number | null> {
  try {
    return (await client.statObject(bucket, key)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Opens an object that is written in parts. Every part but the last has at least 5 MiB, and at most 5 GiB. */
export async function openMultipartObject(connection: S3Connection, bucket: string, key: string) {
  const { client } = connection;
  const uploadId = await requestStore('put', () => client.initiateNewMultipartUpload(bucket, key, {}));
  const parts: { part: number; etag: string }[] = [];
  let sent = 0;

  return {
    /** Streams one part of exactly `bytes` bytes. */
    async put(body: AsyncIterable<Buffer>, bytes: number): Promise<void> {
      const part = parts.length + 1;
      const target = { bucket, key, part: { uploadId, partNumber: String(part) } };
      parts.push({ part, etag: await putKnown(connection, target, body, bytes) });
      sent += bytes;
    },
    /**
     * Completes the object from its parts. Succeeds if the store then lists the object with its full size: some servers
     * omit members from their response that the client requires, and some report a failure with status 200.
     */
    async complete(): Promise<void> {
      const complete = async () => {
        const failure = await client.completeMultipartUpload(bucket, key, uploadId, parts).then(
          () => undefined,
          (error: unknown) => error,
        );
        const size = await objectSize(connection, bucket, key);
        if (size !== sent) throw failure ?? new Error(`The store keeps ${size} bytes of an object of ${sent}.`);
      };
      await requestStore('complete', complete, { retry: false, timeoutMs: 90_000 });
    },
    /** Discards the sent parts. Never throws: the store discards them eventually. */
    async abort(): Promise<void> {
      await requestStore('delete', () => client.abortMultipartUpload(bucket, key, uploadId)).catch(() => undefined);
    },
  };
}

export type MultipartObject = Awaited<ReturnType<typeof openMultipartObject>>;
