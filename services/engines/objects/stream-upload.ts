import { createHash, randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import type * as Minio from 'minio';
import { problem } from '../../core/errors.ts';
import { askStore, partBytes } from './client.ts';

export interface Uploaded {
  hash: string;
  bytes: number;
  /** The whole stream when it was small enough to be held: nothing has been uploaded then. */
  held: Buffer | null;
  /** The object that holds the bytes otherwise. */
  key: string | null;
}

/** A stream may pause as long as its sender does; the body stage bounds that, this only ends what hangs for good. */
const uploadTimeoutMs = 60 * 60 * 1000;

function tooLarge(maxBytes: number) {
  return problem('too_large', `The file is larger than the allowed ${maxBytes} bytes.`);
}

async function* countAndHash(
  source: AsyncIterable<Buffer>,
  hash: { update(data: Buffer): unknown },
  maxBytes: number,
  count: { bytes: number },
) {
  for await (const chunk of source) {
    count.bytes += chunk.length;
    if (count.bytes > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    yield chunk;
  }
}

/** Reads up to one part; says whether the stream ended within it. */
async function readHead(chunks: AsyncGenerator<Buffer>): Promise<{ head: Buffer; ended: boolean }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  while (bytes < partBytes) {
    const next = await chunks.next();
    if (next.done) return { head: Buffer.concat(parts), ended: true };
    parts.push(next.value);
    bytes += next.value.length;
  }
  return { head: Buffer.concat(parts), ended: false };
}

async function feed(target: PassThrough, head: Buffer, chunks: AsyncGenerator<Buffer>): Promise<void> {
  const write = (chunk: Buffer) =>
    target.write(chunk) ? undefined : new Promise<void>((resolve) => target.once('drain', resolve));
  await write(head);
  for await (const chunk of chunks) await write(chunk);
  target.end();
}

/**
 * Hashes a stream on its way into the store. What fits into one part is held and left to the caller; the rest goes up
 * part by part under a random key, so the file is never in memory whole. Throws a Problem `too_large` beyond `maxBytes`.
 */
export async function uploadStream(
  client: Minio.Client,
  bucket: string,
  source: Readable,
  maxBytes: number,
): Promise<Uploaded> {
  const hash = createHash('sha256');
  const count = { bytes: 0 };
  const chunks = countAndHash(source, hash, maxBytes, count);
  const { head, ended } = await readHead(chunks);
  if (ended) return { hash: hash.digest('hex'), bytes: count.bytes, held: head, key: null };
  const key = `blobs/${randomUUID()}`;
  const body = new PassThrough({ highWaterMark: 1024 * 1024 });
  const upload = askStore(() => client.putObject(bucket, key, body), { retry: false, timeoutMs: uploadTimeoutMs });
  try {
    // the upload cannot be through before the body has ended, so it settles first only by failing
    await Promise.race([feed(body, head, chunks), upload]);
    await upload;
  } catch (error) {
    // `minio` does not see that its source has failed and would wait for ever: end the body, then drop what was sent
    body.end();
    source.destroy();
    await upload.then(() => client.removeObject(bucket, key)).catch(() => undefined);
    throw error;
  }
  return { hash: hash.digest('hex'), bytes: count.bytes, held: null, key };
}
