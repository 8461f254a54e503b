import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { keepAliveMs } from '../core/drain.ts';
import { Problem } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { replyToInvalidHttp } from '../core/not-http.ts';
import { startSpan } from '../core/tracing.ts';
import { SourceUnavailable } from './fresh-cache.ts';
import { countReply, type EdgeCounts } from './metrics.ts';
import { plainReplies, type Reply, sendReply } from './reply.ts';

/** A client that sends or reads very slowly may hold a connection only for a limited time. */
const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: keepAliveMs,
};
const silentSocketMs = 120_000;

function isOutage(error: unknown): boolean {
  return error instanceof SourceUnavailable || (error instanceof Problem && error.code === 'unavailable');
}

/**
 * Returns the response for a failed request: 503 during an outage; any other error is a defect, logged and sent as 500.
 */
function explainFailure(error: unknown, log: Logger): Reply {
  if (isOutage(error)) return plainReplies[503];
  log.error({ err: error }, 'A request failed.');
  return plainReplies[500];
}

interface ServerDeps {
  respond: (request: IncomingMessage) => Promise<Reply>;
  counts: EdgeCounts;
  log: Logger;
}

/**
 * Creates an HTTP server that handles every request with `respond` and survives malformed input. It does not listen
 * yet.
 */
export function createEdgeServer({ respond, counts, log }: ServerDeps): Server {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const reply = await respond(request).catch((error) => explainFailure(error, log));
    countReply(counts, (performance.now() - startedAt) / 1000);
    const statusClass = Math.floor(reply.status / 100);
    counts.requests[statusClass]! += 1;
    try {
      await sendReply(request, response, reply, counts);
    } catch (error) {
      // the status has been sent; closing the connection shows that the body is incomplete
      if (!request.socket.destroyed) log.warn({ err: error }, 'A body could not be sent completely.');
      response.destroy();
    }
  }
  function visit(request: IncomingMessage, response: ServerResponse): void {
    const { traceparent } = request.headers;
    const span = startSpan('visit', { kind: 'server', parent: typeof traceparent === 'string' ? traceparent : '' });
    if (!span) return void handle(request, response);
    response.once('close', () => {
      span.set({ 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.fail({ code: String(response.statusCode) });
      span.end();
    });
    span.within(() => void handle(request, response));
  }
  const server = createServer(timeouts, visit);
  server.timeout = silentSocketMs;
  // a client that has closed its sending side still gets its responses; by default Node drops them
  Object.assign(server, { httpAllowHalfOpen: true });
  replyToInvalidHttp(server, 'GET, HEAD');
  return server;
}
