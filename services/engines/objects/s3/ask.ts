import { Readable } from 'node:stream';
import { Problem, problem } from '../../../core/errors.ts';
import { countUnavailable, measureRequest } from '../../metrics.ts';
import { explainTls } from '../../tls.ts';
import { ShortStream } from '../chunk-reader.ts';

const answerTimeoutMs = 30_000;

function errorCode(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}

/** The bytes are not there (any more), as against a store that does not answer. */
export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(errorCode(error));
}

/** What the store says, or that it says nothing, as `unavailable`. */
export function storeProblem(cause: unknown): Problem {
  countUnavailable('objects');
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
    if (error instanceof Problem || error instanceof ShortStream || isMissing(error)) throw error;
    throw storeProblem(error);
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
