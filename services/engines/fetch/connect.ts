import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { fetchError } from './errors.ts';
import type { Target } from './target.ts';

/** Opens a TCP connection to one of these IP addresses. */
export type Dial = (addresses: readonly string[], port: number) => Socket;

export interface ConnectOptions {
  dial: Dial;
  connectTimeoutMs: number;
  maxHeaderBytes: number;
  /** Certificate authorities in addition to the built-in ones. */
  ca?: string[];
  signal: AbortSignal;
}

/**
 * Creates an HTTP client for one request to one checked target. It never resolves a name, and serves a single hop, so
 * that no connection outlives the check that allowed it. undici reads no proxy from the environment and keeps no
 * cookies.
 */
export function createPinnedClient(target: Target, addresses: readonly string[], options: ConnectOptions): Client {
  const connect: buildConnector.connector = (_options, callback) => {
    connectSocket(target, addresses, options).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };
  return new Client(target.url.origin, { connect, maxHeaderSize: options.maxHeaderBytes, pipelining: 1 });
}

async function connectSocket(target: Target, addresses: readonly string[], options: ConnectOptions): Promise<Socket> {
  const tcp = options.dial(addresses, target.port);
  const secure = target.url.protocol === 'https:';
  const socket = secure ? connectTls({ ...tlsOptions(target, options.ca), socket: tcp }) : tcp;
  socket.setNoDelay(true);
  try {
    await waitForConnection(tcp, socket, secure ? 'secureConnect' : 'connect', options);
    return socket;
  } catch (error) {
    socket.destroy();
    tcp.destroy();
    throw error;
  }
}

function tlsOptions(target: Target, ca: string[] | undefined) {
  const host = target.address ?? target.url.hostname;
  // Server name indication accepts names only; without it the certificate is checked against `host`.
  return { host, ALPNProtocols: ['http/1.1'], ...(isIP(host) ? {} : { servername: host }), ...(ca ? { ca } : {}) };
}

function waitForConnection(tcp: Socket, socket: Socket, event: string, options: ConnectOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(fetchError('timeout')), options.connectTimeoutMs);
    const onAbort = () => settle(options.signal.reason);
    const onError = (cause: unknown) => settle(fetchError('connect_failed', { cause }));
    const onReady = () => settle(null);
    const settle = (error: unknown) => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
      error === null ? resolve() : reject(error);
    };
    options.signal.addEventListener('abort', onAbort, { once: true });
    socket.once(event, onReady);
    // Not removed: an abandoned socket may still emit an error.
    tcp.on('error', onError);
    socket.on('error', onError);
    socket.once('close', () => onError(new Error('closed while connecting')));
    if (options.signal.aborted) onAbort();
  });
}

/**
 * Connects as the default dialler. The host is a placeholder that is never resolved: the lookup returns the checked
 * addresses, and Node tries them in parallel (RFC 8305).
 */
export const dialAddresses: Dial = (addresses, port) => {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all) callback(null, entries);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error('no address'), '', 0);
  };
  return connectTcp({ host: 'pinned.invalid', port, lookup, autoSelectFamily: true });
};
