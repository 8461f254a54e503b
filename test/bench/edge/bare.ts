import { createServer } from 'node:http';

/** The baseline: a node:http server that responds to every request with one page from memory. Prints its port. */
const page = Buffer.from(process.argv[2] ?? '', 'base64');
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length });
  response.end(page);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
