import { once } from 'node:events';
import { createServer } from 'node:http';
import { jpeg } from '../harness/media.ts';
import type { QuickSources } from './tenant-work.ts';

/** Starts a server on loopback that responds at once with a picture, or with a page that proves a claim. */
export async function startQuickSource(port: number): Promise<QuickSources & { close(): void }> {
  const picture = await jpeg();
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/picture')) return response.end(picture);
    response.setHeader('Content-Type', 'text/html');
    return response.end('<p>The survey counted 1,200 walkers.</p>');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${port}`;
  return {
    picture: `${origin}/picture.jpg`,
    page: `${origin}/page.html`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
