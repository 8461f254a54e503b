import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesTag } from '../core/etag.ts';
import { empty, type Reply } from '../core/reply.ts';
import type { Context } from './context.ts';
import { problemReply } from './envelope.ts';
import { openLargeTexts } from './large-reply.ts';
import { ConnectionEnded, writeLarge, writeWholeList } from './write-body.ts';

const lingerMs = 2_000;

/**
 * Drains the unread rest of a body before the reply, if the connection closes after it: bytes that arrive after the
 * close would make the system discard a reply that the client has not read yet. Waits briefly, and not for a client
 * that expects `100 Continue`.
 */
export async function drainUnreadBody(
  req: IncomingMessage,
  res: Pick<ServerResponse, 'shouldKeepAlive'>,
): Promise<void> {
  if (res.shouldKeepAlive || req.complete || req.destroyed || req.headers.expect) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lingerMs);
  req.once('end', resolve).once('close', resolve);
  req.resume();
  await promise;
  clearTimeout(timer);
}

/**
 * Ends the connection if the body of a request has not ended `afterMs` milliseconds after the response. Node discards
 * an unread body without a time limit, so a client that sends a byte now and then could hold the connection.
 */
export function endUnread(req: IncomingMessage, res: ServerResponse, afterMs: number): void {
  res.once('finish', () => {
    if (req.complete || req.destroyed) return;
    const timer = setTimeout(() => req.socket.destroy(), afterMs).unref();
    req.once('close', () => clearTimeout(timer));
  });
}

/** Returns whether a conditional GET's client has these bytes already (records and lists alike). */
function isUnchanged({ method, req }: Context, { status }: Reply, etag: string | undefined): boolean {
  const ifNoneMatch = req.headers['if-none-match'];
  return (
    method === 'GET' && status === 200 && ifNoneMatch !== undefined && etag !== undefined && namesTag(ifNoneMatch, etag)
  );
}

/** Returns the reply to send: 304 without a body if the client has it already. */
function conditional(ctx: Context, reply: Reply): Reply {
  const etag = reply.headers['ETag'];
  return isUnchanged(ctx, reply, etag) ? empty(304, { ETag: etag! }) : reply;
}

/** Returns the reply, or an error in its place if one of its large texts is not found. */
async function findLarge(ctx: Context, reply: Reply): Promise<Reply> {
  try {
    if (reply.large) await openLargeTexts(reply.large);
    return reply;
  } catch (error) {
    ctx.app.log.error({ method: ctx.method, path: ctx.path, err: error }, 'a reply could not be read');
    return problemReply(error);
  }
}

async function write(ctx: Context, handlerReply: Reply): Promise<void> {
  const { res } = ctx;
  if (res.headersSent || res.destroyed) return;
  const reply = await findLarge(ctx, conditional(ctx, handlerReply));
  const { status, bytes, large } = reply;
  const headers: Record<string, string | number> = { ...ctx.replyHeaders, ...reply.headers };
  if (status !== 204 && status !== 304 && !large) headers['Content-Length'] = bytes?.length ?? 0;
  (res as ServerResponse & { _sent?: boolean })._sent = true; // restify replies to requests that nothing has replied to
  res.writeHead(status, headers);
  if (large) await writeLarge(res, large, ctx.takeMemory!());
  else if (ctx.memory) await writeWholeList(res, bytes ?? Buffer.alloc(0), ctx.memory);
  else res.end(bytes ?? undefined);
}

/**
 * Sends the reply, unless it is sent or the client has disconnected. Never throws: a failure while writing resets the
 * connection, so that a partial reply does not look complete.
 */
export async function send(ctx: Context, reply: Reply): Promise<void> {
  try {
    if (!ctx.res.headersSent) await drainUnreadBody(ctx.req, ctx.res);
    await write(ctx, reply);
  } catch (error) {
    if (error instanceof ConnectionEnded || ctx.res.destroyed)
      ctx.app.log.debug({ err: error }, 'the client disconnected before the end of a reply');
    else ctx.app.log.error({ err: error, status: reply.status }, 'a reply could not be written');
    if (ctx.res.socket) ctx.res.socket.resetAndDestroy();
    else ctx.res.destroy();
  } finally {
    ctx.memory?.release();
  }
}
