import { notFound, type Problem, problem } from '../../core/errors.ts';

interface SqlError {
  code?: string;
  constraint?: string;
}

/** SQLSTATEs after which the whole transaction may simply be run again (cockroachdb.md, rule 1). */
const retryable = new Set(['40001', '40P01']);

/** Codes of a database that is down, starting, stopping or out of connections, and of a network that lost it. */
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

/** CockroachDB does not know whether a statement, or a COMMIT, was done: its connection broke off in the middle. */
const unknownOutcome = '40003';

export function sqlState(error: unknown): string | undefined {
  return (error as SqlError | null)?.code;
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(sqlState(error) ?? '');
}

export function isUnavailable(error: unknown): boolean {
  return unavailable.has(sqlState(error) ?? '');
}

/** Whether nobody knows what became of a statement: it must not be run again by itself, for it may have been done. */
export function isUnknownOutcome(error: unknown): boolean {
  return sqlState(error) === unknownOutcome;
}

/** A value that cannot be sent, or not be read as what it should be: an error in our own code, and no loss of the connection. */
export function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** A unique index refused the row; `constraint` narrows it to one index by name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: name } = (error ?? {}) as SqlError;
  return code === '23505' && (constraint === undefined || name === constraint);
}

/**
 * What a row belongs to was deleted between the request's look at it and this write: the one way in which a foreign key of ours is
 * ever violated. To the client it is not there, as to every later request. Undefined for any other error.
 */
export function deletedMeanwhile(error: unknown): Problem | undefined {
  const { code, constraint } = (error ?? {}) as SqlError;
  if (code !== '23503') return undefined;
  return notFound(constraint?.endsWith('_site_id_fkey') ? 'site' : 'record');
}

/** A database that answers and will not do what it is asked: rights, password, a name, its disk, a copy for reading only. */
const refused = new Set(['42501', '28000', '28P01', '3D000', '53100', '25006']);

/** The SQLSTATE by which the database refuses for good; undefined when it does not answer, or the statement is at fault. */
export function refusalOf(error: unknown): string | undefined {
  const state = sqlState(error) ?? '';
  return refused.has(state) ? state : undefined;
}

/** What a client is told while the database cannot answer, or refuses the service. */
export function databaseUnavailable(cause: unknown): Problem {
  const refusedAs = refusalOf(cause);
  const message = refusedAs
    ? `The database refuses a statement of the service (${refusedAs}); its administrator has to change that.`
    : 'The database cannot be reached at the moment; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause, refusedAs });
}

/** What a client is told when it is not known whether its request was done; a POST is safe to repeat with its Idempotency-Key. */
export function outcomeUnknown(cause: unknown): Problem {
  const message =
    'The database did not say whether the request was done; look before you send it again, or send it with the same Idempotency-Key.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause });
}

/**
 * Thrown by a closure that lost a race which no statement can settle (a unique index refused what a read had found free): its
 * transaction is run again from the start, as after SQLSTATE 40001.
 */
export function runAgain(cause?: unknown): Error {
  return Object.assign(new Error('The transaction lost a race and must run again.', { cause }), { code: '40001' });
}
