import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { Dial } from '../../../services/engines/fetch/connect.ts';
import { createGuardedFetcher, type FetcherOptions } from '../../../services/engines/fetch/fetcher.ts';

export interface TestServer {
  port: number;
  /** `127.0.0.1:port`, for the allow-list. */
  pair: string;
  url: string;
  /** Returns the number of accepted connections. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts an HTTP server on loopback. */
export function serveHttp(handler: RequestListener): Promise<TestServer> {
  return listen(createServer(handler), 'http');
}

/** Starts an HTTPS server on loopback with this certificate. */
export function serveHttps(credentials: { key: string; cert: string }, handler: RequestListener): Promise<TestServer> {
  return listen(createTlsServer(credentials, handler), 'https');
}

/** Starts a server that calls `onRequest`, which writes the response, once the request's head has arrived. */
export function serveRaw(onRequest: (socket: Socket) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onRequest(socket));
  });
  return listen(server as Server, 'http');
}

async function listen(server: Server, scheme: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, pair: `127.0.0.1:${port}`, url: `${scheme}://127.0.0.1:${port}`, connections: () => accepted, close };
}

/** Creates a fetcher with short limits. */
export function createTestFetcher(options: Partial<FetcherOptions> = {}) {
  return createGuardedFetcher({ allow: [], userAgent: 'fieldstone-test', resolve: async () => [], ...options });
}

/** Simulates the internet: records the dialled addresses and connects each to a local server. */
export function createRoutedDial(server: TestServer) {
  const dialled: { addresses: readonly string[]; port: number }[] = [];
  const dial: Dial = (addresses, port) => {
    dialled.push({ addresses, port });
    return connect(server.port, '127.0.0.1');
  };
  return { dial, dialled };
}
