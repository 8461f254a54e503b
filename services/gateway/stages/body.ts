import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { invalid, Problem, problem } from '../../core/errors.ts';
import type { BodyKind } from '../../core/http.ts';
import type { Context, Stage } from '../context.ts';
import { parseJson } from './json.ts';
import { createTurns, type Turns } from './turns.ts';

/** spec: Limits. */
export const jsonMaxBytes = 4 * 1024 * 1024;

const decoders: Record<string, () => Transform> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

/** The transmitted bytes, nothing undone: what a signature is over. */
export function openRawBody(req: IncomingMessage, res: Context['res']): Readable {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return req;
}

/** The request's bytes with `Content-Encoding` undone. Throws 415 for an encoding that we do not know. */
function openBody(req: IncomingMessage, res: Context['res']): Readable {
  openRawBody(req, res);
  const encoding = req.headers['content-encoding']?.trim().toLowerCase();
  if (!encoding || encoding === 'identity') return req;
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

function tooLarge(maxBytes: number) {
  return problem('too_large', `The body is larger than the ${maxBytes} bytes allowed here.`);
}

/** Nobody is left to read this; it ends the work. */
function clientGone() {
  return problem('bad_request', 'The connection ended before the body was complete.');
}

/**
 * Reads a whole body of at most `maxBytes`, counted after decompression, so that a small bomb cannot become large memory.
 * Throws 413 past the limit, 408 when the bytes stop coming, 422 for a body whose compression is broken.
 */
export async function readBytes(
  ctx: Pick<Context, 'req' | 'res' | 'app'>,
  maxBytes: number,
  open = openBody,
): Promise<Buffer> {
  const { req, res, app } = ctx;
  if (req.destroyed) throw clientGone();
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const stream = open(req, res);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => {
    reject(
      problem('request_timeout', 'The body did not arrive in time; send it again.', {
        headers: { Connection: 'close' },
      }),
    );
  }, app.config.bodyTimeoutMs);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) reject(tooLarge(maxBytes));
    else chunks.push(chunk);
  });
  stream.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  stream.on('error', () =>
    reject(invalid([{ path: '', message: 'The body could not be decompressed, or ended too early' }])),
  );
  req.on('aborted', () => reject(clientGone()));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stream.removeAllListeners('data');
    if (stream !== req) {
      req.unpipe();
      stream.destroy();
    }
    req.resume(); // what is still coming is let go, so that the client can read the reply
  }
}

export function hashBody(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function mediaType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

function requireContentType(ctx: Context, accepted: readonly string[]): void {
  const sent = mediaType(ctx.req);
  // a request that names no type is read as JSON where JSON is taken
  if (sent === '' && accepted.includes('application/json')) return;
  if (!accepted.includes(sent)) {
    throw problem('unsupported_media_type', `Send the body as ${accepted.join(' or ')}.`);
  }
}

/** Runs what judges a body's content: what is wrong with it is told after idempotency, malformed JSON at once. */
function judge<T>(ctx: Context, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    ctx.bodyFault = error;
    return undefined;
  }
}

function readEmptyObject(bytes: Buffer): void {
  if (bytes.length === 0) return;
  const members = Object.keys(parseJson(bytes));
  if (members.length > 0)
    throw invalid(members.map((path) => ({ path, message: 'is not a member of this request, which takes none' })));
}

const turns = new WeakMap<BodyKind, Turns>();

function takeTurn(kind: BodyKind, atOnce: number, { res }: Context): Promise<void> {
  const known = turns.get(kind) ?? createTurns(atOnce);
  turns.set(kind, known);
  return known.take(res);
}

/** Body size 413, then content type 415, then malformed JSON 422 (contract: order of checks). What else is wrong, `validate` tells. */
export const readBody: Stage = async (ctx) => {
  const kind = ctx.route!.body;
  if (kind.kind === 'ignored') return undefined;
  if (kind.kind === 'custom') return readCustomBody(ctx);
  if (kind.kind === 'raw' && kind.atOnce) await takeTurn(kind, kind.atOnce, ctx);
  const bytes = await readBytes(ctx, kind.kind === 'raw' ? kind.maxBytes : jsonMaxBytes);
  ctx.bodyHash = hashBody(bytes);
  if (kind.kind === 'raw') ctx.body = bytes;
  else if (kind.kind === 'empty') judge(ctx, () => readEmptyObject(bytes));
  else {
    requireContentType(ctx, ['application/json']);
    ctx.body = judge(ctx, () => parseJson(bytes, kind.apart));
  }
  return undefined;
};

async function readCustomBody(ctx: Context): Promise<undefined> {
  const kind = ctx.route!.body;
  if (kind.kind !== 'custom') return undefined;
  if (['application/json', ''].includes(mediaType(ctx.req)) && kind.contentTypes.includes('application/json')) {
    const bytes = await readBytes(ctx, jsonMaxBytes);
    ctx.bodyHash = hashBody(bytes);
    ctx.body = judge(ctx, () => parseJson(bytes));
    return undefined;
  }
  requireContentType(ctx, kind.contentTypes);
  const { value, hash, fault } = await kind.read({
    app: ctx.app,
    site: ctx.site,
    headers: ctx.req.headers as Record<string, string | undefined>,
    stream: openBody(ctx.req, ctx.res),
  });
  ctx.body = value;
  ctx.bodyHash = hash;
  if (fault) ctx.bodyFault = fault;
  return undefined;
}
