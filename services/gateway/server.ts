import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import restify from 'restify';
import { problem } from '../core/errors.ts';
import { countHosts } from '../core/http.ts';
import { replyToInvalidHttp } from '../core/not-http.ts';
import type { Reply } from '../core/reply.ts';
import { operationKindOf } from '../features/access/index.ts';
import type { App } from '../features/app.ts';
import type { AppRoute } from '../features/route.ts';
import { createAllowReader, findShadowedMethods } from './allowed-methods.ts';
import { createAddressReader } from './client-address.ts';
import type { Context, Stage } from './context.ts';
import { problemReply } from './envelope.ts';
import { observeRequest } from './observe.ts';
import { runStages, type Stages } from './pipeline.ts';
import { endUnread, send } from './send.ts';
import { basePath, createPathRouter, isRest, splitTarget } from './target.ts';

const maxPathBytes = 8192;

/** A route outside the base and its stages: the OpenAPI document, health, inbound webhooks. */
export interface PlainHandler {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'HEAD' | 'DELETE' | 'OPTIONS';
  path: string;
  handle(ctx: Context): Promise<Reply>;
}

type Request = IncomingMessage & {
  getUrl(): { pathname: string; search: string; href: string };
  context: Context;
  params: Record<string, string>;
};
type Next = (error?: unknown) => void;
/** Adds members that restify's published types lack. */
type RestifyServer = restify.Server & { server: HttpServer; first(handler: (req: never, res: never) => boolean): void };

const verbs = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'del',
  HEAD: 'head',
  OPTIONS: 'opts',
} as const;

/** The routes that the gateway serves. */
export interface Served {
  /** Paths are relative to the base. */
  routes: readonly AppRoute[];
  /** Outside the base, with absolute paths; requests pass the same stages, after routing. */
  uploads: readonly AppRoute[];
  plain: readonly PlainHandler[];
}

/**
 * Creates the gateway's HTTP server. Restify accepts, routes and drains; `send` writes every reply. No other file uses
 * restify.
 */
export function createServer(
  app: App,
  { beforeRouting, afterRouting, all }: Stages,
  { routes, uploads, plain }: Served,
) {
  for (const route of [...routes, ...uploads]) {
    if (!route.scope) throw new Error(`${route.method} ${route.path} declares no scope; every route needs one.`);
    operationKindOf(route); // throws if the policy cannot decide about the route
  }
  const routePath = createPathRouter([...routes.map(({ path }) => basePath + path), ...plain.map(({ path }) => path)]);
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

  // restify would resolve dot segments and backslashes before a rule sees them, so it gets the path as sent
  server.first(((req: Request, res: ServerResponse) => {
    const context = createContext(req, res);
    req.context = context;
    endUnread(req, res, app.config.bodyTimeoutMs);
    const { pathname, rest } = routePath(context.path);
    if (rest !== undefined) context.rest = rest;
    req.getUrl = () => ({ pathname, search: context.search, href: pathname });
    return true;
  }) as never);

  server.pre(((req: Request, _res: ServerResponse, next: Next) => {
    if (hasWrongHost(req)) return respond(req.context, () => Promise.reject(wrongHost()), next);
    if (!isRest(req.context.path)) return next();
    respond(req.context, () => runStages(beforeRouting, req.context), next);
  }) as never);

  const mountRoute = (route: AppRoute, path: string, stages: readonly Stage[]) =>
    mount(route.method, path, async (ctx) => {
      ctx.route = route;
      return (await runStages(stages, ctx))!;
    });
  for (const route of routes) mountRoute(route, basePath + route.path, afterRouting);
  for (const route of uploads) mountRoute(route, route.path, all);
  for (const { method, path, handle } of plain) mount(method, path, handle);
  const readAllow = createAllowReader(routes);
  const refuseMethod = async (ctx: Context, fallback = ''): Promise<Reply> => {
    const allow = readAllow(ctx.path.slice(basePath.length)) ?? fallback;
    return problemReply(problem('method_not_allowed', `This path allows ${allow}.`, { headers: { Allow: allow } }));
  };
  for (const { method, path } of findShadowedMethods(routes)) mount(method, basePath + path, refuseMethod);

  function mount(method: PlainHandler['method'], path: string, run: (ctx: Context) => Promise<Reply>): void {
    server[verbs[method]](path, ((req: Request, _res: ServerResponse, next: Next) => {
      const ctx = req.context;
      ctx.pattern = path;
      ctx.params = ctx.rest === undefined ? req.params : { ...req.params, '*': ctx.rest };
      respond(ctx, () => run(ctx), next);
    }) as never);
  }

  handleRoutingErrors(server, refuseMethod);
  const http = server.server;
  replyToInvalidHttp(http, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  // no limit on the duration of uploads: the body stages end stalled ones, `endUnread` those that are not read (Node
  // would end all after 5 minutes)
  http.requestTimeout = 0;
  // the gateway itself rejects a request without a Host header, in the envelope
  Object.assign(http, { requireHostHeader: false });
  // the body stage sends "100 Continue" once the request has passed the checks before it
  http.removeAllListeners('checkContinue');
  http.on('checkContinue', (req, res) => http.emit('request', req, res));
  // restify forwards offered upgrades to listeners; without listeners Node treats them as plain requests (RFC 9110,
  // 7.8)
  http.removeAllListeners('upgrade');
  return { server, http };
}

/**
 * Returns whether the number of Host headers is wrong: one is allowed, and required from HTTP/1.1 on; else 400 (RFC
 * 9112, section 3.2).
 */
function hasWrongHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = countHosts(rawHeaders);
  return hosts > 1 || (hosts === 0 && httpVersion !== '1.0');
}

const wrongHost = () =>
  problem('bad_request', 'The request needs exactly one Host header.', { headers: { Connection: 'close' } });

/**
 * Runs work in the request's context and sends the reply that it returns; without a reply, continues with the next
 * handler.
 */
function respond(ctx: Context, work: () => Promise<Reply | undefined>, next: Next): void {
  const replied = ctx.within(async () => {
    const reply = await work().catch((error: unknown) => {
      ctx.app.log.error({ err: error }, 'request failed');
      return problemReply(error);
    });
    if (reply) await send(ctx, reply);
    return reply !== undefined;
  });
  void replied.then((done) => (done ? next(false) : next()));
}

function handleRoutingErrors(
  server: RestifyServer,
  refuseMethod: (ctx: Context, fallback: string) => Promise<Reply>,
): void {
  type Read = (ctx: Context, res: ServerResponse, error: unknown) => Promise<Reply>;
  const on = (event: string, read: Read) =>
    server.on(event, ((req: Request, res: ServerResponse, error: unknown, done: Next) => {
      if (res.headersSent) return done(); // restify emits two events for one error; the more specific one has replied
      respond(
        req.context,
        () => read(req.context, res, error),
        () => done(),
      );
    }) as never);

  on('NotFound', async () =>
    problemReply(problem('not_found', 'There is no such route; GET /openapi.json lists all of them.')),
  );
  on('MethodNotAllowed', (ctx, res) => refuseMethod(ctx, String(res.getHeader('Allow') ?? '')));
  on('restifyError', (_ctx, _res, error) => Promise.reject(error));
}
