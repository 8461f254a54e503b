import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesTag } from '../core/etag.ts';
import type { Context } from './context.ts';
import type { WireReply } from './envelope.ts';
import { ConnectionEnded, writeLarge, writeWholeList } from './write-body.ts';

const lingerMs = 2_000;

/**
 * Lets the rest of a body that nobody reads go, before the reply, where the connection ends with it: bytes that come after would
 * make the system throw away a reply that the client has not read yet. Waits a moment only, and not for who waits for us.
 */
export async function letGo(req: IncomingMessage, res: Pick<ServerResponse, 'shouldKeepAlive'>): Promise<void> {
  if (res.shouldKeepAlive || req.complete || req.destroyed || req.headers.expect) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lingerMs);
  req.once('end', resolve).once('close', resolve);
  req.resume();
  await promise;
  clearTimeout(timer);
}

/** Conditional GET: the client has these very bytes (records and lists alike). */
function isUnchanged(ctx: Context, wire: WireReply): boolean {
  const known = ctx.req.headers['if-none-match'];
  const etag = wire.headers.ETag;
  return (
    ctx.method === 'GET' && wire.status === 200 && known !== undefined && etag !== undefined && namesTag(known, etag)
  );
}

/** Writes the head and, of what is small and no list, the body too. Answers the bytes of a list that are still to be written. */
function begin(ctx: Context, wire: WireReply): Buffer | undefined {
  const { res } = ctx;
  const bytes = typeof wire.body === 'string' ? Buffer.from(wire.body) : (wire.body ?? undefined);
  const headers: Record<string, string | number> = { ...ctx.replyHeaders, ...wire.headers };
  if (wire.status !== 204 && wire.status !== 304 && !wire.large) headers['Content-Length'] = bytes?.length ?? 0;
  (res as ServerResponse & { _sent?: boolean })._sent = true; // restify answers what nobody has answered
  res.writeHead(wire.status, headers);
  if (wire.large || ctx.memory) return bytes;
  res.end(bytes);
  return undefined;
}

async function write(ctx: Context, wire: WireReply): Promise<void> {
  const { res } = ctx;
  if (res.headersSent || res.destroyed) return;
  if (isUnchanged(ctx, wire)) wire = { status: 304, headers: { ETag: wire.headers.ETag! }, body: null };
  const bytes = begin(ctx, wire);
  if (wire.large) await writeLarge(res, wire.large, ctx.takeMemory!());
  else if (ctx.memory) await writeWholeList(res, bytes ?? Buffer.alloc(0), ctx.memory);
}

/**
 * Sends the reply, unless it is out or the client is gone. Never throws: a reply that cannot be written to its end resets the
 * connection, so that no part of one looks complete.
 */
export async function send(ctx: Context, wire: WireReply): Promise<void> {
  try {
    if (!ctx.res.headersSent) await letGo(ctx.req, ctx.res);
    await write(ctx, wire);
  } catch (error) {
    if (error instanceof ConnectionEnded || ctx.res.destroyed)
      ctx.app.log.debug({ err: error }, 'a reply was not taken');
    else ctx.app.log.error({ err: error, status: wire.status }, 'a reply could not be written');
    if (ctx.res.socket) ctx.res.socket.resetAndDestroy();
    else ctx.res.destroy();
  } finally {
    ctx.memory?.release();
  }
}
