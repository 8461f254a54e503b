import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import * as Minio from 'minio';
import type { S3Config } from '../../core/config.ts';
import { Problem, problem } from '../../core/errors.ts';
import { countUnavailable, measureRequest } from '../metrics.ts';
import { explainTls } from '../tls.ts';
import { createTransport } from './transport.ts';

/** The most that is held of a stream to see where it ends. */
export const partBytes = 8 * 1024 * 1024;
const answerTimeoutMs = 30_000;

/** A `minio` client for the endpoint of the settings, and the kept-open connections that it uses. */
export function createMinioClient(config: S3Config): { client: Minio.Client; agent: http.Agent } {
  const url = new URL(config.endpoint);
  const secure = url.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 64 };
  const agent = secure ? new https.Agent({ ...agentOptions, ca: config.ca }) : new http.Agent(agentOptions);
  const client = new Minio.Client({
    endPoint: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 443 : 80,
    useSSL: secure,
    accessKey: config.accessKey,
    secretKey: config.secretKey,
    region: config.region,
    partSize: partBytes,
    retryOptions: { disableRetry: true },
    transport: createTransport(secure),
    transportAgent: agent,
  });
  return { client, agent };
}

/** A hash that nothing is stored under (any more): the caller's reference is stale. */
export class MissingObject extends Error {}

function errorCode(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}

/** The bytes are not there (any more), as against a store that does not answer. */
export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(errorCode(error));
}

function storeUnavailable(cause: unknown): Problem {
  return problem('unavailable', 'The object store cannot be reached at the moment; try again shortly.', {
    retryAfterSeconds: 2,
    cause: explainTls(cause, { engine: 'the object store', setting: 'S3' }) ?? cause,
  });
}

/** A kept-open connection that the server closed just now; the same request on a new one will do. */
function isStaleConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

/** What is asked of the store. */
export type StoreRequest = 'get' | 'read' | 'put' | 'put_part' | 'complete' | 'delete' | 'bucket';

interface AskOptions {
  retry?: boolean;
  timeoutMs?: number;
}

/**
 * Awaits an answer of the store, bounded in time; whatever goes wrong but a missing object is `unavailable`. `ask` is told by its
 * signal that nobody waits any more.
 */
export async function askStore<T>(
  request: StoreRequest,
  ask: (signal: AbortSignal) => Promise<T>,
  { retry = true, timeoutMs = answerTimeoutMs }: AskOptions = {},
): Promise<T> {
  return measureRequest({ engine: 'objects', operation: request, span: `S3 ${request}` }, async () => {
    try {
      return await beforeDeadline(ask, timeoutMs);
    } catch (error) {
      if (!retry || !isStaleConnection(error)) throw error;
      return await beforeDeadline(ask, timeoutMs);
    }
  }).catch((error: unknown) => {
    if (error instanceof Problem || error instanceof MissingObject || isMissing(error)) throw error;
    countUnavailable('objects');
    throw storeUnavailable(error);
  });
}

async function beforeDeadline<T>(ask: (signal: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const waiting = new AbortController();
  const answer = ask(waiting.signal);
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${timeoutMs} ms`));
    waiting.abort();
    // a stream that comes now and that nobody reads would keep its connection
    answer.then(
      (value) => value instanceof Readable && value.destroy(),
      () => undefined,
    );
  }, timeoutMs);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
