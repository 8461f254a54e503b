import http from 'node:http';
import https from 'node:https';

/** How long the store may take to respond to a request that has been sent in full. */
const responseTimeoutMs = 30_000;
const keepAliveProbeMs = 15_000;
/** Statuses after which `minio` gives up without reading the response body. */
const unreadStatuses = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * Creates the transport of `minio`, which keeps requests from holding one of the few connections indefinitely: it
 * drains responses that are not read, times out missing ones, and detects a store that has vanished.
 */
export function createTransport(secure: boolean): { request: typeof http.request } {
  const { request } = secure ? https : http;
  function send(
    options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    let timer: NodeJS.Timeout | undefined;
    const sent = request(options, (response) => {
      clearTimeout(timer);
      if (unreadStatuses.has(response.statusCode ?? 0)) response.resume();
      onResponse(response);
    });
    sent.once('socket', (socket) => socket.setKeepAlive(true, keepAliveProbeMs));
    sent.once('finish', () => {
      timer = setTimeout(
        () => sent.destroy(new Error(`no response within ${responseTimeoutMs} ms`)),
        responseTimeoutMs,
      );
    });
    sent.once('close', () => clearTimeout(timer));
    return sent;
  }
  return { request: send as typeof http.request };
}
