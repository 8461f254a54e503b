import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { watchSource } from '../source-fault.ts';
import { requestStore, type StoreRequest } from './ask.ts';
import type { S3Connection } from './client.ts';

/** A stream may pause as long as its sender does; its reader bounds that. This timeout only ends a permanent hang. */
const streamTimeoutMs = 6 * 60 * 60 * 1000;
const linkSeconds = 7 * 24 * 60 * 60;

/** Sends a body of known length to a signed URL, at the rate at which it arrives; returns the entity tag. */
async function putTo(url: string, agent: http.Agent, body: AsyncIterable<Buffer>, bytes: number): Promise<string> {
  const { request } = url.startsWith('https:') ? https : http;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const put = request(url, { method: 'PUT', agent, headers: { 'Content-Length': bytes } }, resolve);
  put.on('error', reject);
  try {
    // a response before the end of the body is a refusal
    await Promise.race([pipeline(Readable.from(body, { objectMode: false }), put), promise]);
    const response = await promise;
    response.resume();
    if (response.statusCode !== 200 || !response.headers.etag)
      throw new Error(`The store responded with ${response.statusCode}.`);
    return response.headers.etag.replaceAll('"', '');
  } catch (error) {
    promise.catch(() => undefined);
    put.destroy();
    throw error;
  }
}

/** An object, or one part of it. */
export interface PutTarget {
  bucket: string;
  key: string;
  part?: { uploadId: string; partNumber: string };
}

/**
 * Streams exactly `bytes` bytes into an object or a part, without buffering them; returns the entity tag. S3 requires
 * the length before the bytes. Throws what `body` throws, and `unavailable`.
 */
export async function putKnown(
  { client, agent }: S3Connection,
  { bucket, key, part }: PutTarget,
  body: AsyncIterable<Buffer>,
  bytes: number,
): Promise<string> {
  const request: StoreRequest = part ? 'put_part' : 'put';
  const url = await client.presignedUrl('PUT', bucket, key, linkSeconds, part ? { ...part } : {});
  const { stream, rethrow } = watchSource(body);
  const options = { retry: false, timeoutMs: streamTimeoutMs };
  return requestStore(request, () => putTo(url, agent, stream, bytes), options).catch(rethrow);
}
