import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toSentence } from '../../run-command.ts';
import { faultPage, ownPaths, reloadScript, withReload } from './pages.ts';
import type { Preview } from './preview.ts';

export interface DevServer {
  /** The URL of the site's home page here. */
  url: string;
  /** Replaces the preview, and reloads the browsers. */
  show(preview: Preview): void;
  close(): Promise<void>;
}

/** Headers of the edge that a page keeps; lengths, codings and tags are those of other bytes. */
const keptHeaders = ['content-type', 'content-security-policy', 'content-disposition', 'x-content-type-options'];

/**
 * Returns whether a request is for this server by its own name: pages of other hosts must not read the preview through
 * it.
 */
function isOwnHost({ headers }: IncomingMessage, port: number): boolean {
  return [`localhost:${port}`, `127.0.0.1:${port}`].includes(headers.host ?? '');
}

/** Responds with a file of the preview, at the same path below its root. */
async function passOn(root: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const target = root.replace(/\/$/, '') + req.url!;
  const reply = await fetch(target, { redirect: 'manual' });
  for (const name of keptHeaders) {
    const value = reply.headers.get(name);
    if (value !== null) res.setHeader(name, value);
  }
  const location = reply.headers.get('location');
  if (location !== null) {
    const to = new URL(location, target).href;
    res.setHeader('Location', to.startsWith(root) ? `/${to.slice(root.length)}` : to);
  }
  const isPage = reply.headers.get('content-type')?.startsWith('text/html') ?? false;
  const body = Buffer.from(await reply.arrayBuffer());
  res.writeHead(reply.status).end(isPage ? withReload(body.toString('utf8')) : body);
}

/** Starts the server of `shell dev`, on loopback. `port` 0 is a free one. */
export async function startDevServer(port: number): Promise<DevServer> {
  let current: Preview | undefined;
  const listeners = new Set<ServerResponse>();

  async function handle(req: IncomingMessage, res: ServerResponse, ownPort: number): Promise<void> {
    res.setHeader('Cache-Control', 'no-store');
    if (!isOwnHost(req, ownPort)) return void res.writeHead(421).end();
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end();
    if (req.url === ownPaths.script) return void res.setHeader('Content-Type', 'text/javascript').end(reloadScript);
    if (req.url === ownPaths.events) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
      listeners.add(res);
      res.on('close', () => listeners.delete(res));
      return;
    }
    if (current?.url) return passOn(current.url, req, res);
    const fault = current?.fault ?? { message: 'The first preview is being made.', place: null, excerpt: [] };
    res.writeHead(current ? 500 : 503, { 'Content-Type': 'text/html; charset=utf-8' }).end(faultPage(fault));
  }

  const server: Server = createServer((req, res) => {
    handle(req, res, (server.address() as AddressInfo).port).catch((error: unknown) => {
      if (res.headersSent) return void res.destroy();
      res.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${toSentence(error)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    show(preview) {
      current = preview;
      for (const listener of listeners) listener.write('event: change\ndata:\n\n');
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
