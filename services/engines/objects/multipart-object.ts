import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as Minio from 'minio';
import { askStore } from './client.ts';

/** A stream may pause as long as its sender does; whoever reads it bounds that, this only ends what hangs for good. */
const streamTimeoutMs = 6 * 60 * 60 * 1000;
const linkSeconds = 7 * 24 * 60 * 60;

/** Sends a body of known length to a signed address, at the pace at which it comes; answers the entity tag. */
async function putTo(url: string, agent: http.Agent, body: AsyncIterable<Buffer>, bytes: number): Promise<string> {
  const { request } = url.startsWith('https:') ? https : http;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const put = request(url, { method: 'PUT', agent, headers: { 'Content-Length': bytes } }, resolve);
  put.on('error', reject);
  try {
    // an answer before the end of the body is a refusal
    await Promise.race([pipeline(Readable.from(body, { objectMode: false }), put), promise]);
    const answer = await promise;
    answer.resume();
    if (answer.statusCode !== 200 || !answer.headers.etag) throw new Error(`The store answered ${answer.statusCode}.`);
    return answer.headers.etag.replaceAll('"', '');
  } catch (error) {
    promise.catch(() => undefined);
    put.destroy();
    throw error;
  }
}

/**
 * One object, written part by part. A part is streamed on, never held here: its length must be known (S3 wants it first),
 * and every part but the last has at least 5 MiB.
 */
export async function openMultipartObject(client: Minio.Client, agent: http.Agent, bucket: string, key: string) {
  const uploadId = await askStore('put', () => client.initiateNewMultipartUpload(bucket, key, {}));
  const parts: { part: number; etag: string }[] = [];

  return {
    async put(body: AsyncIterable<Buffer>, bytes: number): Promise<void> {
      const part = parts.length + 1;
      const query = { uploadId, partNumber: String(part) };
      const url = await client.presignedUrl('PUT', bucket, key, linkSeconds, query);
      // what the sender does wrong is the sender's error, not the store's
      let fault: { error: unknown } | null = null;
      async function* noting() {
        try {
          yield* body;
        } catch (error) {
          fault = { error };
          throw error;
        }
      }
      const etag = await askStore('put_part', () => putTo(url, agent, noting(), bytes), {
        retry: false,
        timeoutMs: streamTimeoutMs,
      }).catch((error: unknown) => {
        throw fault ? fault.error : error;
      });
      parts.push({ part, etag });
    },
    async complete(): Promise<void> {
      await askStore('complete', () => client.completeMultipartUpload(bucket, key, uploadId, parts), { retry: false });
    },
    /** Drops what was sent. Never throws: the store drops it by itself in the end. */
    async abort(): Promise<void> {
      await askStore('delete', () => client.abortMultipartUpload(bucket, key, uploadId)).catch(() => undefined);
    },
  };
}

export type MultipartObject = Awaited<ReturnType<typeof openMultipartObject>>;
