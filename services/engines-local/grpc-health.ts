import { once } from 'node:events';
import http2 from 'node:http2';

export interface GrpcHealth {
  /** False when another kind of server listens there. */
  isGrpc: boolean;
  /** Whether the server reports that the service accepts calls. */
  isServing: boolean;
}

/** Frames a message for gRPC: uncompressed, with its length. */
function frame(message: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Encodes `HealthCheckRequest { service }`, for a name of at most 127 bytes. */
const healthRequest = (service: string) => frame(Buffer.from(`\x0a${String.fromCharCode(service.length)}${service}`));
/** `HealthCheckResponse { status: SERVING }` */
const serving = frame(Buffer.from([0x08, 0x01]));

/**
 * Calls the standard health check of gRPC servers (grpc.health.v1.Health/Check) without a gRPC library, which would
 * cost `up`, a process that runs for weeks, tens of megabytes. Certificates are not checked: the engine's own client
 * does that. A server that closes the connection is not serving. Rejects with the system's error when nothing listens,
 * and when the signal is aborted.
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
