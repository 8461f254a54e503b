import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalid, Problem, problem } from '../../core/errors.ts';
import type { BodyKind } from '../../core/http.ts';
import type { App } from '../../features/app.ts';
import type { Context, Stage } from '../context.ts';
import { readJson } from './json.ts';
import { checkAnnouncedSize, jsonMaxBytes, maxDecodedBytes, openBody, readBytes } from './read-bytes.ts';
import { createTurns, type Turns } from './turns.ts';

function mediaType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

function requireContentType(ctx: Context, accepted: readonly string[]): void {
  const sent = mediaType(ctx.req);
  // a request without a content type is read as JSON if the route accepts JSON
  if (sent === '' && accepted.includes('application/json')) return;
  if (!accepted.includes(sent)) {
    throw problem('unsupported_media_type', `Send the body as ${accepted.join(' or ')}.`);
  }
}

/**
 * Runs `read` and defers `validation_failed` until after the idempotency stage; other errors, such as malformed JSON,
 * are thrown at once.
 */
async function deferFault<T>(ctx: Context, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    ctx.bodyFault = error;
    return undefined;
  }
}

async function readEmptyObject(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return;
  const members = Object.keys(await readJson(bytes));
  if (members.length > 0)
    throw invalid(members.map((path) => ({ path, message: 'is not a member of this request, which has none' })));
}

const maxWaiting = 50;
const archiveTurns = new WeakMap<BodyKind, Turns>();
const bodyTurns = new WeakMap<App, Turns>();

/** Bodies up to this size take no turn: the number of connections bounds them. */
const smallBytes = 64 * 1024;

function remember<K extends object>(turnsByKey: WeakMap<K, Turns>, key: K, make: () => Turns): Turns {
  const turns = turnsByKey.get(key) ?? make();
  turnsByKey.set(key, turns);
  return turns;
}

/**
 * Waits until memory for the body is available, and holds it until the request ends, since the handler's data are as
 * large as the body. The bodies of one caller may use a quarter of the capacity. Throws 503 when too many requests
 * wait already. Returns undefined if no turn is needed.
 */
function takeTurn({ route, app, req, res, caller }: Context, maxBytes: number): Promise<void> | undefined {
  const kind = route!.body;
  if (kind.kind === 'raw' && kind.atOnce) {
    const capacity = kind.atOnce;
    return remember(archiveTurns, kind, () => createTurns({ capacity, maxWaiting })).take(res);
  }
  return takeBodyTurn({ app, req, res }, caller!.id, maxBytes);
}

/** Waits until memory for the body of a caller is available, as `takeTurn` says. */
export function takeBodyTurn(
  { app, req, res }: Pick<Context, 'app' | 'req' | 'res'>,
  callerId: string,
  maxBytes: number,
): Promise<void> | undefined {
  const bytes = maxDecodedBytes(req, maxBytes);
  if (bytes <= smallBytes) return undefined;
  const capacity = app.config.bodyMemoryBytes;
  const turns = remember(bodyTurns, app, () => createTurns({ capacity, share: capacity / 4, maxWaiting }));
  return turns.take(res, callerId, bytes);
}

async function readWhole(ctx: Context, maxBytes: number): Promise<Buffer> {
  checkAnnouncedSize(ctx.req, maxBytes);
  const turn = takeTurn(ctx, maxBytes);
  if (turn) await turn;
  // hash chunk by chunk: 32 MiB at once would block the event loop for 50 ms
  const hash = createHash('sha256');
  const bytes = await readBytes(ctx, maxBytes, (chunk) => hash.update(chunk));
  ctx.bodyHash = hash.digest('hex');
  return bytes;
}

/**
 * Reads and checks the body: size 413, then content type 415, then malformed JSON 422 (contract: order of checks).
 * `validate` reports all other faults.
 */
export const readBody: Stage = async (ctx) => {
  const kind = ctx.route!.body;
  if (kind.kind === 'ignored' || kind.kind === 'protocol') return undefined;
  if (kind.kind === 'custom') return readCustomBody(ctx);
  const bytes = await readWhole(ctx, kind.kind === 'raw' ? kind.maxBytes : jsonMaxBytes);
  if (kind.kind === 'raw') ctx.body = bytes;
  else if (kind.kind === 'empty') await deferFault(ctx, () => readEmptyObject(bytes));
  else {
    requireContentType(ctx, ['application/json']);
    ctx.body = await deferFault(ctx, () => readJson(bytes, kind.apart));
  }
  return undefined;
};

/**
 * Reads the JSON object of a small body, at most `maxBytes` (64 KiB: more would need a turn). Throws 413, then 415,
 * then 422.
 */
export async function readJsonOf(ctx: Context, maxBytes: number): Promise<Record<string, unknown>> {
  checkAnnouncedSize(ctx.req, maxBytes);
  const bytes = await readBytes(ctx, maxBytes);
  requireContentType(ctx, ['application/json']);
  return readJson(bytes);
}

async function readCustomBody(ctx: Context): Promise<undefined> {
  const kind = ctx.route!.body;
  if (kind.kind !== 'custom') return undefined;
  if (['application/json', ''].includes(mediaType(ctx.req)) && kind.contentTypes.includes('application/json')) {
    const bytes = await readWhole(ctx, jsonMaxBytes);
    ctx.body = await deferFault(ctx, () => readJson(bytes));
    return undefined;
  }
  requireContentType(ctx, kind.contentTypes);
  const { value, hash, fault } = await kind.read({
    app: ctx.app,
    userId: ctx.caller!.userId,
    site: ctx.site,
    headers: ctx.req.headers as Record<string, string | undefined>,
    stream: openBody(ctx.req, ctx.res),
  });
  ctx.body = value;
  ctx.bodyHash = hash;
  if (fault) ctx.bodyFault = fault;
  return undefined;
}
