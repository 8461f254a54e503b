import { Counter, Histogram } from 'prom-client';
import { startSpan } from '../core/tracing.ts';
import { withIds } from '../core/work-context.ts';
import { type Context, headerOf } from './context.ts';

const requests = new Counter({
  name: 'fieldstone_http_requests_total',
  help: 'Requests by route pattern. "none": rejected before routing. Status 0: aborted by the client.',
  labelNames: ['route', 'method', 'status'],
});
const seconds = new Histogram({
  name: 'fieldstone_http_request_duration_seconds',
  help: 'Time from the head of a request to the end of its response.',
  labelNames: ['route', 'method'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
});

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function logRequest({ app, req, path, caller, clientIp }: Context, route: string, status: number, elapsedMs: number) {
  const durationMs = Math.round(elapsedMs);
  app.log.debug({ method: req.method, route, path, status, caller: caller?.id, clientIp, durationMs }, 'request');
}

/**
 * Observes a request until its reply is sent or the client disconnects: metrics, a log line, and a span that continues
 * the caller's trace (W3C Trace Context). Returns a function that runs work in the request's context.
 */
export function observeRequest(ctx: Context): <T>(work: () => T) => T {
  const { res, requestId } = ctx;
  const startedAt = performance.now();
  const method = knownMethods.has(ctx.method) ? ctx.method : 'other';
  const span = startSpan(method, {
    kind: 'server',
    parent: headerOf(ctx, 'traceparent') ?? '',
    attributes: { 'http.request.method': method, 'fieldstone.request_id': requestId },
  });
  const within = <T>(work: () => T): T => withIds({ request_id: requestId }, () => (span ? span.within(work) : work()));

  res.once('close', () => {
    const elapsedMs = performance.now() - startedAt;
    const route = ctx.pattern ?? 'none';
    const status = res.headersSent ? res.statusCode : 0;
    requests.inc({ route, method, status });
    seconds.observe({ route, method }, elapsedMs / 1000);
    if (span) {
      span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.fail({ code: String(status) });
      span.end();
    }
    if (ctx.app.log.isLevelEnabled('debug')) within(() => logRequest(ctx, route, status, elapsedMs));
  });
  return within;
}
