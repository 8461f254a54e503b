import { once } from 'node:events';
import http2 from 'node:http2';

export interface GrpcHealth {
  /** False when what listens there is another kind of server. */
  isGrpc: boolean;
  /** Whether the server says that the service takes calls. */
  isServing: boolean;
}

/** A message as gRPC sends it: not compressed, with its length. */
function frame(message: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** `HealthCheckRequest { service }`, for a name of at most 127 bytes. */
const healthRequest = (service: string) => frame(Buffer.from(`\x0a${String.fromCharCode(service.length)}${service}`));
/** `HealthCheckResponse { status: SERVING }` */
const serving = frame(Buffer.from([0x08, 0x01]));

/**
 * Calls the health check that every gRPC server has (grpc.health.v1.Health/Check), without loading a library of gRPC: `up` lives for weeks,
 * and one would cost it some tens of megabytes. Certificates are not checked: the engine's own client does that. A connection that the other
 * side closes is a server that does not serve. Rejects with what the system says when nobody listens, and when the signal is aborted.
 */
export async function askGrpcHealth(
  { origin, service = '' }: { origin: string; service?: string },
  signal: AbortSignal,
): Promise<GrpcHealth> {
  const session = http2.connect(origin, { rejectUnauthorized: false });
  try {
    const request = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {}); // the session's own error says why
    request.end(healthRequest(service));
    const closed = once(session, 'close', { signal }).then(() => undefined);
    const response = once(request, 'response', { signal }).then(([headers]) => headers as http2.IncomingHttpHeaders);
    const headers = await Promise.race([response, closed]);
    if (!headers) return { isGrpc: true, isServing: false };
    const isGrpc = headers['content-type']?.startsWith('application/grpc') ?? false;
    if (isGrpc && !request.readableEnded) await Promise.race([once(request, 'end', { signal }), closed]);
    return { isGrpc, isServing: isGrpc && Buffer.concat(chunks).equals(serving) };
  } finally {
    session.destroy();
  }
}
