import { Readable } from 'node:stream';
import { Problem, problem } from '../../../core/errors.ts';
import { measureRequest } from '../../metrics.ts';
import { explainTls } from '../../tls.ts';
import { noteUnavailable } from '../../unavailable.ts';
import { ShortStream } from '../chunk-reader.ts';

const answerTimeoutMs = 30_000;

function errorCode(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}

/** The bytes are not there (any more), as against a store that does not answer. */
export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(errorCode(error));
}

/** The object is there, but the range begins after its last byte. */
export function isBeyondEnd(error: unknown): boolean {
  return errorCode(error) === 'InvalidRange';
}

/** Responses of a store that is overloaded, starting or broken: it will take the same request later. */
const passing = new Set([
  'SlowDown',
  'SlowDownRead',
  'SlowDownWrite',
  'ServiceUnavailable',
  'InternalError',
  'InternalFailure',
  'RequestTimeout',
  'OperationAborted',
  'XMinioServerNotInitialized',
  'XMinioBackendDown',
  'UnknownError',
]);

/** The code by which a store refuses a request for good; undefined when it does not answer, or will take it later. */
export function refusalOf(error: unknown): string | undefined {
  const code = errorCode(error);
  return error instanceof Error && error.name === 'S3Error' && code && !passing.has(code) ? code : undefined;
}

/** What the store says, or that it says nothing, as `unavailable`. */
export function storeProblem(failure: unknown, operation: StoreRequest): Problem {
  const cause = explainTls(failure, { engine: 'the object store', setting: 'S3' }) ?? failure;
  const refusedAs = refusalOf(cause);
  noteUnavailable({ engine: 'objects', request: `S3 ${operation}`, cause, refusedAs });
  const message = refusedAs
    ? `The object store refuses a request of the service (${refusedAs}); its administrator has to change that.`
    : 'The object store cannot be reached at the moment; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause, refusedAs });
}

/** A kept-open connection that the server closed just now; the same request on a new one will do. */
function isStaleConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

/** What is asked of the store. */
export type StoreRequest = 'get' | 'read' | 'put' | 'put_part' | 'complete' | 'delete' | 'list' | 'bucket';

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
    throw storeProblem(error, request);
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
