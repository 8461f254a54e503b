import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const lingerMs = 2_000;

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

type Headers = readonly string[];

function replyAndClose(
  socket: Duplex,
  status: string,
  error: { code: string; message: string },
  headers: Headers = [],
): void {
  const body = JSON.stringify({ success: false, error });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `X-Request-Id: ${randomUUID()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...headers,
  ];
  socket.resume(); // with unread bytes in the buffer, closing would send a reset
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // nothing else would end it: Node no longer counts the socket among the server's connections
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/**
 * Replies in the envelope, if possible, to input that is not HTTP, and to CONNECT, which requests a tunnel: 400, 408,
 * 431 or 405; then closes the connection. `allow`: the methods of the server, for `Allow`.
 */
export function replyToInvalidHttp(http: Server, allow: string): void {
  const replied = new WeakSet<Duplex>();
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // emitted again for each further chunk: destroying the socket now would lose the reply
    if (replied.has(socket)) return;
    // within a response, this reply would be read as part of its body
    const { _httpMessage: reply } = socket as Duplex & { _httpMessage?: ServerResponse };
    if (!socket.writable || error.code === 'ECONNRESET' || reply?.headersSent) return socket.destroy();
    replied.add(socket);
    const status = statuses[error.code ?? ''] ?? '400 Bad Request';
    replyAndClose(socket, status, { code: 'bad_request', message: 'The request is not valid HTTP.' });
  });
  http.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const error = { code: 'method_not_allowed', message: 'This server is not a proxy.' };
    replyAndClose(socket, '405 Method Not Allowed', error, [`Allow: ${allow}`]);
  });
}
