import {
  InvalidClientError,
  InvalidRequestError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { Problem } from '../../core/errors.ts';
import { json, type Reply } from '../../core/reply.ts';
import type { Context } from '../context.ts';
import { problemHeaders } from '../envelope.ts';
import { anyOrigin } from './cors.ts';

/** Returns OAuth's error code for an error of the catalogue. */
function wordFor({ code }: Problem): string {
  if (code === 'rate_limited') return TooManyRequestsError.errorCode;
  if (code === 'unavailable') return TemporarilyUnavailableError.errorCode;
  return InvalidRequestError.errorCode;
}

const statusOf = (error: OAuthError): number => (error instanceof InvalidClientError ? 401 : 400);

/** Returns the response to a failed request of a client, in OAuth's form (OAuth 2.1, 3.2.4). */
export function oauthErrorReply(ctx: Context, error: unknown): Reply {
  const headers = { ...anyOrigin, 'Content-Type': 'application/json' };
  if (error instanceof OAuthError)
    return json(statusOf(error), { error: error.errorCode, error_description: error.message }, headers);
  if (error instanceof Problem) {
    const body = { error: wordFor(error), error_description: error.message };
    return json(error.status, body, { ...headers, ...problemHeaders(error) });
  }
  ctx.app.log.error({ method: ctx.method, path: ctx.path, err: error }, 'request failed');
  const fault = new ServerError('Something went wrong on our side.');
  return json(500, { error: fault.errorCode, error_description: fault.message }, headers);
}
