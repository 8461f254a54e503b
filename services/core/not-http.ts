import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const lingerMs = 2_000;

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

type Headers = readonly string[];

function endWith(
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
  socket.resume(); // bytes that nobody has read would make the end a reset
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // nothing else would end it: to Node the socket is no connection of its server any more
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/**
 * What is not HTTP at all, and CONNECT, which asks for a tunnel, get a reply in the envelope, as far as one can be understood: 400,
 * 408, 431 or 405; then the connection ends. `allow`: the methods that the server has, for `Allow`.
 */
export function answerWhatIsNotHttp(http: Server, allow: string): void {
  const answered = new WeakSet<Duplex>();
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // each further piece of what is not HTTP comes here again: closing over it would take the answer from the client
    if (answered.has(socket)) return;
    // in the middle of a reply, bytes of another one would be taken for its body
    const { _httpMessage: reply } = socket as Duplex & { _httpMessage?: ServerResponse };
    if (!socket.writable || error.code === 'ECONNRESET' || reply?.headersSent) return socket.destroy();
    answered.add(socket);
    const status = statuses[error.code ?? ''] ?? '400 Bad Request';
    endWith(socket, status, { code: 'bad_request', message: 'The request is not valid HTTP.' });
  });
  http.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const error = { code: 'method_not_allowed', message: 'This is no proxy.' };
    endWith(socket, '405 Method Not Allowed', error, [`Allow: ${allow}`]);
  });
}
