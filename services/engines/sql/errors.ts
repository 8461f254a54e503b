import { notFound, type Problem, problem } from '../../core/errors.ts';

interface SqlError {
  code?: string;
  constraint?: string;
}

/** SQLSTATEs after which the whole transaction may be retried (cockroachdb.md, rule 1). */
const retryable = new Set(['40001', '40P01']);

/** Codes of a database that is down, starting, stopping or out of connections, and of a lost network connection. */
const unavailable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'FS_POOL_TIMEOUT',
  'FS_CONNECTION_LOST',
  'FS_TLS',
]);

/** CockroachDB's SQLSTATE if the outcome of a statement or a COMMIT is unknown because the connection broke. */
export const unknownOutcome = '40003';

export function sqlState(error: unknown): string | undefined {
  return (error as SqlError | null)?.code;
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(sqlState(error) ?? '');
}

export function isUnavailable(error: unknown): boolean {
  return unavailable.has(sqlState(error) ?? '');
}

/**
 * Returns whether the outcome of a statement is unknown: it must not be retried automatically, because it may have been
 * executed.
 */
export function isUnknownOutcome(error: unknown): boolean {
  return sqlState(error) === unknownOutcome;
}

/** Returns whether a value could not be serialized or parsed: an error in our own code, not a lost connection. */
export function isProgrammingError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Returns whether a unique index rejected the row; `constraint` narrows it to one index by name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: name } = (error ?? {}) as SqlError;
  return code === '23505' && (constraint === undefined || name === constraint);
}

/**
 * Returns the 404 for a write whose parent row was deleted after the request read it: the only way in which our foreign
 * keys are ever violated. The client gets the same error as for every later request. Undefined for any other error.
 */
export function deletedMeanwhile(error: unknown): Problem | undefined {
  const { code, constraint } = (error ?? {}) as SqlError;
  if (code !== '23503') return undefined;
  return notFound(constraint?.endsWith('_site_id_fkey') ? 'site' : 'record');
}

/**
 * SQLSTATEs of a database that responds but refuses: permissions, password, database name, full disk, read-only
 * replica.
 */
const refused = new Set(['42501', '28000', '28P01', '3D000', '53100', '25006']);

/**
 * Returns the SQLSTATE of a permanent refusal; undefined if the database does not respond, or the statement is at
 * fault.
 */
export function refusalOf(error: unknown): string | undefined {
  const state = sqlState(error) ?? '';
  return refused.has(state) ? state : undefined;
}

/** Returns the error for the client while the database is unavailable or refuses the service. */
export function databaseUnavailable(cause: unknown): Problem {
  const refusedAs = refusalOf(cause);
  const message = refusedAs
    ? `The database refuses a statement of the service (${refusedAs}); its administrator has to change that.`
    : 'The database cannot be reached at the moment; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause, refusedAs });
}

/**
 * Returns the error for the client when the outcome of its request is unknown; a POST can be retried safely with its
 * Idempotency-Key.
 */
export function outcomeUnknown(cause: unknown): Problem {
  const message =
    'The outcome of the request is unknown; check it before you send it again, or send it with the same Idempotency-Key.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause });
}

/**
 * Returns the error that a closure throws when it lost a race that no statement can resolve (a unique index rejected
 * what a read had found free): its transaction is retried from the start, as after SQLSTATE 40001.
 */
export function serializationRetry(cause?: unknown): Error {
  return Object.assign(new Error('The transaction lost a race and must be retried.', { cause }), { code: '40001' });
}
