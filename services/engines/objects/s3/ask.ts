import { Readable } from 'node:stream';
import { Problem, problem } from '../../../core/errors.ts';
import { measureRequest } from '../../metrics.ts';
import { explainTls } from '../../tls.ts';
import { recordUnavailable } from '../../unavailable.ts';
import { ShortStream } from '../chunk-reader.ts';

const answerTimeoutMs = 30_000;

function errorCode(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}

/** Returns whether the object does not exist (any more), as opposed to a store that does not respond. */
export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(errorCode(error));
}

/** Returns whether the object exists, but the range begins after its last byte. */
export function isBeyondEnd(error: unknown): boolean {
  return errorCode(error) === 'InvalidRange';
}

/** Responses of a store that is overloaded, starting or broken: the request may succeed later. */
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

/**
 * Returns the code of a permanent refusal; undefined if the store does not respond, or the request may succeed later.
 */
export function refusalOf(error: unknown): string | undefined {
  const code = errorCode(error);
  return error instanceof Error && error.name === 'S3Error' && code && !passing.has(code) ? code : undefined;
}

/** Converts a failed or missing response to `unavailable`. */
export function storeProblem(failure: unknown, operation: StoreRequest): Problem {
  const cause = explainTls(failure, { engine: 'the object store', setting: 'S3' }) ?? failure;
  const refusedAs = refusalOf(cause);
  recordUnavailable({ engine: 'objects', request: `S3 ${operation}`, cause, refusedAs });
  const message = refusedAs
    ? `The object store refuses a request of the service (${refusedAs}); its administrator has to change that.`
    : 'The object store cannot be reached at the moment; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause, refusedAs });
}

/** Returns whether the server closed a kept-alive connection: the same request on a new one can succeed. */
function isStaleConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

/** The kinds of requests to the store. */
export type StoreRequest = 'get' | 'read' | 'put' | 'put_part' | 'complete' | 'delete' | 'list' | 'bucket';

interface AskOptions {
  retry?: boolean;
  timeoutMs?: number;
}

/**
 * Awaits a response of the store, with a timeout; every failure but a missing object becomes `unavailable`. The signal
 * of `ask` is aborted when the caller no longer waits.
 */
export async function requestStore<T>(
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
  const response = ask(waiting.signal);
  const timer = setTimeout(() => {
    reject(new Error(`no response within ${timeoutMs} ms`));
    waiting.abort();
    // a stream that arrives after the timeout and is never read would keep its connection
    response.then(
      (value) => value instanceof Readable && value.destroy(),
      () => undefined,
    );
  }, timeoutMs);
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}
