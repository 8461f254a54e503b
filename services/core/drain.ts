import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long an idle connection is kept. Longer than balancers keep one (a minute is usual, Go's proxies take two): who closes first
 * must not be the server, for a request that crosses with that is lost unless it can be sent again.
 */
export const keepAliveMs = 125_000;

export interface DrainOptions {
  /** New connections are taken for so long, while balancers learn from `/readyz` that they should go elsewhere. */
  listenMs: number;
  /** Requests under way may take so long from then on. */
  finishMs: number;
}

interface Connection {
  replies: Set<ServerResponse>;
  quietSince: number;
  bytesRead: number;
}

/** A connection that carried nothing for so long is closed: whoever uses it still has been told to go by then. */
const quietMs = 1000;
const stepMs = 50;

/**
 * Watches the connections of an HTTP server, so that it can end without losing a request: every reply from `drain` on says
 * `Connection: close`, connections that rest are closed only when they have rested for a while, and what is under way is
 * finished. `drain` resolves when all are closed; call it once. Call this before the server listens.
 */
export function watchConnections(server: Server) {
  const connections = new Map<Socket, Connection>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { replies: new Set(), quietSince: performance.now(), bytesRead: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request: IncomingMessage, reply: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.replies.add(reply);
    if (draining) announceEnd(connection);
    reply.once('close', () => {
      connection.replies.delete(reply);
      connection.quietSince = performance.now();
    });
  });

  /** The last reply under way says `Connection: close`; those before it on the same connection would cut it off. */
  function announceEnd({ replies }: Connection): void {
    const underWay = [...replies];
    const last = underWay.pop();
    for (const reply of underWay) reply.shouldKeepAlive = true;
    if (last) last.shouldKeepAlive = false;
  }

  function closeQuietOnes(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      if (socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.quietSince = now;
      }
      if (connection.replies.size === 0 && now - connection.quietSince >= quietMs) socket.destroy();
    }
  }

  /** Closes the listening socket alone: `http.Server.close` would also cut connections that a balancer is about to use. */
  const stopListening = () => NetServer.prototype.close.call(server);

  async function drain({ listenMs, finishMs }: DrainOptions): Promise<void> {
    draining = true;
    for (const connection of connections.values()) announceEnd(connection);
    await sleep(listenMs);
    stopListening();
    const startMs = performance.now();
    for (const connection of connections.values()) connection.quietSince = startMs;
    while (connections.size > 0 && performance.now() - startMs < finishMs) {
      closeQuietOnes();
      await sleep(stepMs);
    }
    for (const socket of connections.keys()) socket.destroy();
  }

  return { drain, isDraining: () => draining };
}
