import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { invalid, problem } from '../../core/errors.ts';
import type { Context } from '../context.ts';
import { type BodySink, createCollector } from './collect.ts';

/** spec: Limits. */
export const jsonMaxBytes = 4 * 1024 * 1024;

type Exchange = Pick<Context, 'req' | 'res' | 'app'>;
type OpenBody = (req: IncomingMessage, res: Context['res']) => Readable;

const decoders: Record<string, () => Transform> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

/** Returns the bytes as transmitted, without decoding: signatures cover these. */
export function openRawBody(req: IncomingMessage, res: Context['res']): Readable {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return req;
}

/** Returns the request's bytes with `Content-Encoding` decoded. Throws 415 for an unknown encoding. */
export function openBody(req: IncomingMessage, res: Context['res']): Readable {
  openRawBody(req, res);
  const encoding = codingOf(req);
  if (!encoding) return req;
  const decoder = decoders[encoding];
  if (!decoder)
    throw problem(
      'unsupported_media_type',
      `The content encoding "${encoding}" is not supported; send gzip, deflate, br or none.`,
    );
  const stream = decoder();
  req.on('error', (error) => stream.destroy(error));
  return req.pipe(stream);
}

function codingOf(req: IncomingMessage): string {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === 'identity' ? '' : encoding;
}

/** Returns the announced length of the body as sent; 0 without a body, undefined if unknown. */
export function announcedBytes({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** Returns the maximum size of the decoded body, in bytes. */
export function maxDecodedBytes(req: IncomingMessage, maxBytes: number): number {
  return codingOf(req) ? maxBytes : Math.min(maxBytes, announcedBytes(req) ?? maxBytes);
}

function tooLarge(maxBytes: number) {
  return problem('too_large', `The body is larger than the ${maxBytes} bytes allowed here.`);
}

/** Throws 413 if the headers announce a body that is too large. */
export function checkAnnouncedSize(req: IncomingMessage, maxBytes: number): void {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Returns the error that ends the work; no client is left to read it. */
function clientGone() {
  return problem('bad_request', 'The connection ended before the body was complete.');
}

function timedOut() {
  const headers = { Connection: 'close' };
  return problem('request_timeout', 'The body did not arrive in time; send it again.', { headers });
}

/**
 * Passes a body of at most `maxBytes` to `sink`, chunk by chunk, counted after decompression, so that a small
 * compressed body cannot fill the memory. Throws 413 above the limit, 408 when the bytes stop coming, 422 if
 * decompression fails, what `sink` throws, and what `interrupted` rejects with.
 */
export async function passBytes(
  { req, res, app }: Exchange,
  maxBytes: number,
  sink: BodySink,
  { open = openBody, interrupted }: { open?: OpenBody; interrupted?: Promise<never> } = {},
): Promise<void> {
  if (req.destroyed) throw clientGone();
  checkAnnouncedSize(req, maxBytes);
  const stream = open(req, res);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  const timer = setTimeout(() => reject(timedOut()), app.config.bodyTimeoutMs);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) return reject(tooLarge(maxBytes));
    try {
      sink.write(chunk);
    } catch (error) {
      reject(error);
    }
  });
  stream.on('end', () => resolve());
  stream.on('error', () =>
    reject(invalid([{ path: '', message: 'The body could not be decompressed, or ended too early' }])),
  );
  req.on('aborted', () => reject(clientGone()));
  interrupted?.catch(reject);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    stream.removeAllListeners('data');
    if (stream !== req) {
      req.unpipe();
      stream.destroy();
    }
    req.resume(); // drains the rest, so that the client can read the reply
  }
}

/** Reads a whole body of at most `maxBytes`; calls `see` with each chunk. Throws as `passBytes` does. */
export async function readBytes(
  exchange: Exchange,
  maxBytes: number,
  see: (chunk: Buffer) => void = () => undefined,
): Promise<Buffer> {
  const collector = createCollector(maxDecodedBytes(exchange.req, maxBytes));
  const write = (chunk: Buffer) => {
    see(chunk);
    collector.write(chunk);
  };
  await passBytes(exchange, maxBytes, { write });
  return collector.bytes();
}
