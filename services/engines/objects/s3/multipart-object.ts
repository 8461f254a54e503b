import { askStore, isMissing } from './ask.ts';
import type { S3Connection } from './client.ts';
import { putKnown } from './put-stream.ts';

/** How many bytes an object has; null when it is not there. */
export async function objectSize({ client }: S3Connection, bucket: string, key: string): Promise<number | null> {
  try {
    return (await client.statObject(bucket, key)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** One object, written part by part. Every part but the last has at least 5 MiB, and at most 5 GiB. */
export async function openMultipartObject(connection: S3Connection, bucket: string, key: string) {
  const { client } = connection;
  const uploadId = await askStore('put', () => client.initiateNewMultipartUpload(bucket, key, {}));
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
     * Makes the object of its parts. What counts is that the store lists the object with all its bytes: some servers leave members
     * out of their reply that the client demands, and some report a failure with status 200.
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
      await askStore('complete', complete, { retry: false, timeoutMs: 90_000 });
    },
    /** Drops what was sent. Never throws: the store drops it by itself in the end. */
    async abort(): Promise<void> {
      await askStore('delete', () => client.abortMultipartUpload(bucket, key, uploadId)).catch(() => undefined);
    },
  };
}

export type MultipartObject = Awaited<ReturnType<typeof openMultipartObject>>;
