import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** Far below the downloader's idle timeout, so that only its total timeout ends a transfer. */
const dripMs = 1000;

/**
 * Starts a server whose responses come byte by byte and never end: a picture, or a page if the path ends in `.html`.
 */
export async function startSlowSource(port: number, signal: AbortSignal): Promise<void> {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', request.url!.endsWith('.html') ? 'text/html' : 'image/jpeg');
    response.writeHead(200);
    response.flushHeaders();
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  const drip = setInterval(() => {
    for (const response of open) response.write('.');
  }, dripMs);
  signal.addEventListener('abort', () => {
    clearInterval(drip);
    server.closeAllConnections();
    server.close();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
