import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import restify from 'restify';
import { problem } from '../core/errors.ts';
import { namesTag } from '../core/etag.ts';
import type { App } from '../features/app.ts';
import type { AppRoute } from '../features/route.ts';
import { createAllowReader, findShadowedMethods } from './allowed-methods.ts';
import { createAddressReader } from './client-address.ts';
import type { Context } from './context.ts';
import { errorToWire, type WireReply } from './envelope.ts';
import { observeRequest } from './observe.ts';
import { createStages, runStages } from './pipeline.ts';

/** The base of the REST surface; its version is in the path (spec: Versioning). */
export const basePath = '/api/v1';
const maxPathBytes = 8192;

/** A request outside the base: the OpenAPI document, health, inbound webhooks. It writes its own reply. */
export interface PlainHandler {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'HEAD' | 'DELETE' | 'OPTIONS';
  path: string;
  handle(ctx: Context): Promise<WireReply>;
}

type Request = IncomingMessage & {
  getUrl(): { pathname: string; search: string; href: string };
  context: Context;
  params: Record<string, string>;
};
type Next = (error?: unknown) => void;
/** What the published types of restify leave out. */
type RestifyServer = restify.Server & { server: HttpServer; first(handler: (req: never, res: never) => boolean): void };

/** Percent signs that begin no escape, and escapes that are no UTF-8. */
function hasBrokenEscape(text: string): boolean {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}

/**
 * To the router a path that it cannot decode is no route at all. Broken segments reach it as NUL, an id, slug or name that nothing
 * has, so that scope, site and record are checked in their order like those of any other path.
 */
function routablePath(path: string): string {
  if (!path.includes('%') || !hasBrokenEscape(path)) return path;
  const segments = path.split('/');
  return segments.map((segment) => (hasBrokenEscape(segment) ? '%00' : segment)).join('/');
}

/**
 * The rest of a path that ends in a wildcard is the feature's to decode and to judge, so the router sees a stand-in.
 */
function createPathMasker(routes: readonly AppRoute[]) {
  const wildcards = routes
    .filter(({ path }) => path.endsWith('/*'))
    .map(({ path }) => new RegExp(`^(${basePath}${path.slice(0, -1).replace(/:\w+/g, '[^/]+')})(.*)$`, 's'));
  return {
    routedPath: (path: string) => wildcards.reduce((masked, pattern) => masked.replace(pattern, '$1_'), path),
    restOf: (path: string) => wildcards.map((pattern) => pattern.exec(path)?.[2]).find((rest) => rest !== undefined),
  };
}

/** Escaped letters, digits, hyphens, underscores and tildes mean the characters themselves (RFC 3986, 2.3). */
const unescapePlain = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9_~-]/.test(character) ? character : escaped;
  });

/** The path and query of a request target; of an absolute one, too, which every server must take (RFC 9112, 3.2.2). */
function splitTarget(sent: string): { path: string; search: string } {
  const target = sent.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { path: unescapePlain(path), search: at < 0 ? '' : target.slice(at) };
}

/** Conditional GET: the client has these very bytes (records and lists alike). */
function isUnchanged(ctx: Context, wire: WireReply): boolean {
  const known = ctx.req.headers['if-none-match'];
  const etag = wire.headers.ETag;
  return (
    ctx.method === 'GET' && wire.status === 200 && known !== undefined && etag !== undefined && namesTag(known, etag)
  );
}

export function send(ctx: Context, wire: WireReply): void {
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

/**
 * The HTTP server of the gateway. Restify accepts, routes and drains; every reply is written here. The only file that
 * knows restify.
 */
export function createServer(app: App, routes: readonly AppRoute[], plain: readonly PlainHandler[]) {
  for (const route of routes) {
    if (!route.scope)
      throw new Error(`${route.method} ${route.path} declares no scope; a route without one does not boot.`);
  }
  const { beforeRouting, afterRouting } = createStages(app);
  const { routedPath, restOf } = createPathMasker(routes);
  const readAddress = createAddressReader(app.config.trustedProxies);
  const options = { name: '', maxParamLength: maxPathBytes, log: app.log };
  const server = restify.createServer(options as unknown as restify.ServerOptions) as RestifyServer;

  function createContext(req: IncomingMessage, res: ServerResponse): Context {
    const { path, search } = splitTarget(req.url ?? '/');
    const requestId = randomUUID();
    const ctx: Context = {
      app,
      req,
      res,
      requestId,
      path,
      search,
      method: req.method ?? 'GET',
      clientIp: readAddress(req),
      replyHeaders: { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' },
      params: {},
      within: (work) => work(),
    };
    ctx.within = observeRequest(ctx);
    return ctx;
  }

  // restify would resolve dot segments and backslashes before a rule could see them: it routes on the path as sent
  server.first(((req: Request, res: ServerResponse) => {
    const context = createContext(req, res);
    req.context = context;
    const pathname = routablePath(routedPath(context.path));
    req.getUrl = () => ({ pathname, search: context.search, href: pathname });
    return true;
  }) as never);

  const isRest = (ctx: Context) => ctx.path === basePath || ctx.path.startsWith(`${basePath}/`);

  server.pre(((req: Request, _res: ServerResponse, next: Next) => {
    const ctx = req.context;
    if (!isRest(ctx)) return next();
    void ctx
      .within(() => runStages(beforeRouting, ctx))
      .then((wire) => {
        if (!wire) return next();
        send(ctx, wire);
        next(false);
      });
  }) as never);

  for (const route of routes)
    mount(route.method, basePath + route.path, async (ctx) => {
      ctx.route = route;
      return (await runStages(afterRouting, ctx))!;
    });
  for (const { method, path, handle } of plain) mount(method, path, handle);
  const readAllow = createAllowReader(routes);
  const refuseMethod = async (ctx: Context, fallback = ''): Promise<WireReply> => {
    const allow = readAllow(ctx.path.slice(basePath.length)) ?? fallback;
    return errorToWire(problem('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } }));
  };
  for (const { method, path } of findShadowedMethods(routes)) mount(method, basePath + path, refuseMethod);

  function mount(method: string, path: string, run: (ctx: Context) => Promise<WireReply>): void {
    const verbs = {
      GET: 'get',
      POST: 'post',
      PUT: 'put',
      PATCH: 'patch',
      DELETE: 'del',
      HEAD: 'head',
      OPTIONS: 'opts',
    } as const;
    server[verbs[method as keyof typeof verbs]](path, ((req: Request, _res: ServerResponse, next: Next) => {
      const ctx = req.context;
      ctx.pattern = path;
      ctx.params = req.params;
      const rest = restOf(ctx.path);
      if (rest !== undefined) ctx.params['*'] = rest;
      ctx
        .within(() =>
          run(ctx).catch((error: unknown) => {
            app.log.error({ err: error }, 'request failed');
            return errorToWire(error);
          }),
        )
        .then((wire) => {
          send(ctx, wire);
          next(false);
        });
    }) as never);
  }

  answerRoutingErrors(server, refuseMethod);
  return { server, http: server.server };
}

function answerRoutingErrors(
  server: RestifyServer,
  refuseMethod: (ctx: Context, fallback: string) => Promise<WireReply>,
): void {
  server.on('NotFound', (req: Request, _res: unknown, _error: unknown, done: Next) => {
    send(
      req.context,
      errorToWire(problem('not_found', 'There is no such route; GET /openapi.json lists all of them.')),
    );
    done();
  });
  server.on('MethodNotAllowed', (req: Request, res: ServerResponse, _error: unknown, done: Next) => {
    void refuseMethod(req.context, String(res.getHeader('Allow') ?? '')).then((wire) => {
      send(req.context, wire);
      done();
    });
  });
  server.on('restifyError', (req: Request, _res: unknown, _error: unknown, done: Next) => {
    send(
      req.context,
      errorToWire(problem('internal_error', 'Something went wrong on our side; the request id names it in our logs.')),
    );
    done();
  });
  // what is not HTTP at all is answered in the envelope too, as far as a reply can be understood
  const http = server.server;
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request';
    const body = JSON.stringify({
      success: false,
      error: { code: 'bad_request', message: 'The request is not valid HTTP.' },
    });
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  // a large upload takes as long as it takes: the body stages end what stops coming (Node would end all after 5 minutes)
  http.requestTimeout = 0;
  // the body stage says "continue" once the request has passed the checks before it
  http.removeAllListeners('checkContinue');
  http.on('checkContinue', (req, res) => http.emit('request', req, res));
}
