import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { confirmationHeader, maxPushBytes, readPush, signatureHeader, swapPushPath } from '../core/swap-push.ts';

interface PushServerOptions {
  edgeId: string;
  secretKeys: readonly Buffer[];
  /** The host to listen on. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** The host under which other processes reach this one; by default that of the network interface. */
  reachableHost: string | undefined;
  onSwap(siteId: string): void;
}

/** A process that sends slowly holds a connection only for this time. */
const timeouts = { headersTimeout: 5000, requestTimeout: 5000 };

const wildcards = ['0.0.0.0', '::'];

/**
 * Returns the host under which other machines reach a server that listens on `host`: the host itself, or this machine's
 * first address outside loopback when it listens on all of them.
 */
export function findReachableHost(host: string, interfaces = networkInterfaces()): string {
  if (!wildcards.includes(host)) return host;
  const outside = Object.values(interfaces).flatMap((all) => (all ?? []).filter(({ internal }) => !internal));
  const found = outside.find(({ family }) => family === 'IPv4') ?? outside.find(({ scopeid }) => !scopeid);
  return found?.address ?? '127.0.0.1';
}

async function readText(request: IncomingMessage): Promise<string | null> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxPushBytes) return null;
  }
  return text;
}

/**
 * Listens for pushes of swaps: `POST /swaps`, signed with the secret key. The response confirms that from now on this
 * process serves no pointer of the site that it read earlier. Returns the URL of the port for the registry.
 */
export async function startPushServer(options: PushServerOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { edgeId, secretKeys, host, port, onSwap } = options;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== swapPushPath) return void response.writeHead(404).end();
    const body = await readText(request);
    const push = body === null ? null : readPush(secretKeys, body, String(request.headers[signatureHeader] ?? ''));
    if (!push) return void response.writeHead(403).end();
    // the port may have belonged to another edge, which may still serve
    if (push.edgeId !== edgeId) return void response.writeHead(409).end();
    onSwap(push.siteId);
    response.writeHead(204, { [confirmationHeader]: push.confirmation }).end();
  }

  const server = createServer(timeouts, (request, response) => {
    respond(request, response).catch(() => response.destroy()); // the connection broke
  });
  server.listen(port, host);
  await once(server, 'listening');
  const reachable = options.reachableHost ?? findReachableHost(host);
  const name = isIPv6(reachable) ? `[${reachable}]` : reachable;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
