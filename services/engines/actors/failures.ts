import { type ErrorCode, type ErrorDetail, errorCatalogue, type Problem, problem } from '../../core/errors.ts';

/** A Problem, serialized for another process. */
export interface ProblemRecord {
  code: string;
  message: string;
  details: ErrorDetail[] | null;
  retryAfterSeconds: number | null;
  isBusy: boolean;
}

/** Returns the record of a Problem: everything that a client may see of it. */
export function recordProblem({ code, message, details, retryAfterSeconds, isBusy }: Problem): ProblemRecord {
  return { code, message, details: details ?? null, retryAfterSeconds: retryAfterSeconds ?? null, isBusy };
}

/** Returns the Problem of a record; undefined when its code is not in the catalogue. */
export function readProblem(record: ProblemRecord, cause: unknown): Problem | undefined {
  const { code, message, details, retryAfterSeconds, isBusy } = record;
  if (!Object.hasOwn(errorCatalogue, code)) return undefined;
  return problem(code as ErrorCode, message, {
    cause,
    isBusy,
    ...(details ? { details } : {}),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

/** Returns the 503 for a caller when no worker or engine is available to run an actor. */
export function actorsUnavailable(cause: unknown): Problem {
  return problem('unavailable', 'The workers cannot be reached at the moment; try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
}
