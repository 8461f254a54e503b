import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long an idle connection is kept open: longer than load balancers do (usually a minute, Go's proxies two). The
 * server must not close first, because a request that crosses with the close is lost unless it can be retried.
 */
export const keepAliveMs = 125_000;

export interface DrainOptions {
  /** How long new connections are still accepted, until load balancers see `/readyz` fail and use other replicas. */
  listenMs: number;
  /** How long open requests may take after that. */
  finishMs: number;
}

interface Connection {
  replies: Set<ServerResponse>;
  idleSince: number;
  bytesRead: number;
}

/** Idle connections are closed after this time; a client that still used one has received `Connection: close`. */
const idleMs = 1000;
const stepMs = 50;

/**
 * Watches the connections of an HTTP server, so that it can end without losing a request: from `drain` on, every
 * response says `Connection: close`, idle connections are closed only after a while, and open requests are finished.
 * `drain` resolves when all are closed; call it once. Call this before the server listens.
 */
export function watchConnections(server: Server) {
  const connections = new Map<Socket, Connection>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { replies: new Set(), idleSince: performance.now(), bytesRead: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request: IncomingMessage, reply: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.replies.add(reply);
    if (draining) announceClose(connection);
    reply.once('close', () => {
      connection.replies.delete(reply);
      connection.idleSince = performance.now();
    });
  });

  /** Adds `Connection: close` to the last open response only; in an earlier one it would cut off the later ones. */
  function announceClose({ replies }: Connection): void {
    const underWay = [...replies];
    const last = underWay.pop();
    for (const reply of underWay) reply.shouldKeepAlive = true;
    if (last) last.shouldKeepAlive = false;
  }

  function closeIdleConnections(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      if (socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.idleSince = now;
      }
      if (connection.replies.size === 0 && now - connection.idleSince >= idleMs) socket.destroy();
    }
  }

  /**
   * Closes only the listening socket: `http.Server.close` would also close connections that a load balancer is about to
   * use.
   */
  const stopListening = () => NetServer.prototype.close.call(server);

  async function drain({ listenMs, finishMs }: DrainOptions): Promise<void> {
    draining = true;
    for (const connection of connections.values()) announceClose(connection);
    await sleep(listenMs);
    stopListening();
    const startMs = performance.now();
    for (const connection of connections.values()) connection.idleSince = startMs;
    while (connections.size > 0 && performance.now() - startMs < finishMs) {
      closeIdleConnections();
      await sleep(stepMs);
    }
    for (const socket of connections.keys()) socket.destroy();
  }

  return { drain, isDraining: () => draining };
}
