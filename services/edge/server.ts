import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { keepAliveMs } from '../core/drain.ts';
import { Problem } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { answerWhatIsNotHttp } from '../core/not-http.ts';
import { startSpan } from '../core/tracing.ts';
import { SourceUnavailable } from './fresh-cache.ts';
import type { EdgeCounts } from './metrics.ts';
import { plainReplies, type Reply, sendReply } from './reply.ts';

/** Somebody who sends or reads at a trickle may hold a connection, but not for ever. */
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

/** The reply when answering failed: 503 during an outage; anything else is a defect, logged and told as 500. */
function explainFailure(error: unknown, log: Logger): Reply {
  if (isOutage(error)) return plainReplies[503];
  log.error({ err: error }, 'A request could not be answered.');
  return plainReplies[500];
}

interface ServerDeps {
  answer: (request: IncomingMessage) => Promise<Reply>;
  counts: EdgeCounts;
  log: Logger;
}

/** An HTTP server that answers every request with `answer`, cleanly whatever is sent to it. Not listening yet. */
export function createEdgeServer({ answer, counts, log }: ServerDeps): Server {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await answer(request).catch((error) => explainFailure(error, log));
    const statusClass = Math.floor(reply.status / 100);
    counts.requests[statusClass]! += 1;
    try {
      await sendReply(request, response, reply, counts);
    } catch (error) {
      // the status is out: all that is left to say is that the body is not whole
      if (!request.socket.destroyed) log.warn({ err: error }, 'A body broke off.');
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
  // a client that has said all it wants to say still gets its replies; Node's default drops those under way
  Object.assign(server, { httpAllowHalfOpen: true });
  answerWhatIsNotHttp(server, 'GET, HEAD');
  return server;
}
