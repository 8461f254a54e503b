import { Problem } from '../core/errors.ts';
import { json, type Reply } from '../core/reply.ts';

/** What an error says beside its status and body. */
export function problemHeaders({ headers, retryAfterSeconds }: Problem): Record<string, string> {
  if (retryAfterSeconds === undefined) return headers;
  return { ...headers, 'Retry-After': String(Math.ceil(retryAfterSeconds)) };
}

/** An error as the client sees it; anything that is not of the catalogue is a 500 without a word about its inside. */
export function problemReply(error: unknown): Reply {
  const known =
    error instanceof Problem
      ? error
      : new Problem('internal_error', 'Something went wrong on our side; the request id names it in our logs.');
  const { code, message, details } = known;
  const told = details ?? (known.status === 422 ? [] : undefined);
  const body = { success: false, error: { code, message, ...(told ? { details: told } : {}) } };
  return json(known.status, body, problemHeaders(known));
}
