import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesTag } from '../core/etag.ts';
import type { Context } from './context.ts';
import type { WireReply } from './envelope.ts';

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

function write(ctx: Context, wire: WireReply): void {
  const { res } = ctx;
  if (res.headersSent || res.destroyed) return;
  if (isUnchanged(ctx, wire)) wire = { status: 304, headers: { ETag: wire.headers.ETag! }, body: null };
  const length = wire.body === null ? 0 : Buffer.byteLength(wire.body);
  const headers: Record<string, string | number> = { ...ctx.replyHeaders, ...wire.headers };
  if (wire.status !== 204 && wire.status !== 304) headers['Content-Length'] = length;
  (res as ServerResponse & { _sent?: boolean })._sent = true; // restify answers what nobody has answered
  res.writeHead(wire.status, headers);
  res.end(wire.body ?? undefined);
}

/** Sends the reply, unless it is out or the client is gone. Never throws: a reply that cannot be written ends the connection. */
export async function send(ctx: Context, wire: WireReply): Promise<void> {
  try {
    if (!ctx.res.headersSent) await letGo(ctx.req, ctx.res);
    write(ctx, wire);
  } catch (error) {
    ctx.app.log.error({ err: error, status: wire.status }, 'a reply could not be written');
    ctx.res.destroy();
  }
}
