import { Problem } from '../core/errors.ts';
import { json, type Reply } from '../core/reply.ts';

/** Returns the headers that an error adds to its reply. */
export function problemHeaders({ headers, retryAfterSeconds }: Problem): Record<string, string> {
  if (retryAfterSeconds === undefined) return headers;
  return { ...headers, 'Retry-After': String(Math.ceil(retryAfterSeconds)) };
}

/** Renders an error for the client; an error outside the catalogue becomes a 500 that reveals no internals. */
export function problemReply(error: unknown): Reply {
  const problem =
    error instanceof Problem
      ? error
      : new Problem('internal_error', 'Something went wrong on our side; the request id names it in our logs.');
  const { code, message, details } = problem;
  const shownDetails = details ?? (problem.status === 422 ? [] : undefined);
  const body = { success: false, error: { code, message, ...(shownDetails ? { details: shownDetails } : {}) } };
  return json(problem.status, body, problemHeaders(problem));
}
