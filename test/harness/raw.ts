import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextGateway, stack } from './api.ts';
import { recordReply } from './replies.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  json: Any;
}

export interface RawRequest {
  method?: string;
  /** The request target exactly as transmitted: no client resolves its dots or encodes it again. */
  target: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  gateway?: number;
}

function readReply(bytes: Buffer): RawReply {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  const body = bytes.subarray(end + 4);
  let json: Any;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    json = undefined;
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body, json };
}

/** Sends bytes unchanged, piece by piece, to a gateway and returns its response until it closes the connection. */
export async function sendPieces(
  pieces: (string | Buffer)[],
  { gateway, pauseMs = 0 }: { gateway?: number; pauseMs?: number } = {},
): Promise<RawReply> {
  const base = new URL(gateway === undefined ? nextGateway() : stack.gateways[gateway]!);
  const received: Buffer[] = [];
  const socket = connect(Number(base.port), base.hostname);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => undefined); // the response, if any, has been received
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    if (pauseMs > 0) await Promise.race([sleep(pauseMs), closed]);
  }
  await closed;
  const reply = readReply(Buffer.concat(received));
  const [method = '', target = ''] = String(pieces[0]).split(' ', 2);
  recordReply(method, target, reply.status, reply.body.toString('utf8'));
  return reply;
}

/** Sends one request whose target and headers are unchanged. */
export function sendRaw({ method = 'GET', target, headers = {}, body, gateway }: RawRequest): Promise<RawReply> {
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const all: Record<string, string> = { Host: 'localhost', Connection: 'close', ...headers };
  if (bytes) all['Content-Length'] ??= String(bytes.length);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return sendPieces([bytes ? Buffer.concat([head, bytes]) : head], gateway === undefined ? {} : { gateway });
}
