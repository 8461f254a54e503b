import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const lingerMs = 2_000;

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
const body = JSON.stringify({
  success: false,
  error: { code: 'bad_request', message: 'The request is not valid HTTP.' },
});

/** What is not HTTP at all is answered in the envelope too, as far as a reply can be understood; then the connection ends. */
export function answerWhatIsNotHttp(http: Server): void {
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const head = [
      `HTTP/1.1 ${statuses[error.code ?? ''] ?? '400 Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `X-Request-Id: ${randomUUID()}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // nothing else would end it: to Node the socket is no connection of its server any more
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}
