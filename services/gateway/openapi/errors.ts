import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import type { AppRoute } from '../../features/route.ts';

type Json = Record<string, unknown>;

const always: ErrorCode[] = ['unauthorized', 'scope_missing', 'rate_limited', 'internal_error', 'unavailable'];
const ofBodies: ErrorCode[] = ['too_large', 'unsupported_media_type', 'request_timeout', 'bad_request'];
const ofPosts: ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused', 'idempotency_key_invalid'];

/** Every error that a route can answer: those of the stages that it passes, and its own. */
export function errorsOf(route: AppRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>([...always, ...(route.errors ?? [])]);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (/[:*]/.test(route.path)) add('not_found');
  if (route.path.includes(':site')) add('site_not_allowed');
  if (route.query || route.body.kind !== 'ignored' || route.path.includes('*')) add('validation_failed');
  if (route.body.kind !== 'ignored') add(...ofBodies);
  if (route.body.kind !== 'ignored' && route.body.kind !== 'raw') add('malformed_json');
  if (route.method === 'POST') add(...ofPosts);
  return [...codes];
}

const messages: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The API key is missing or not valid.',
  scope_missing: 'This key lacks the scope that the operation needs.',
  site_not_allowed: 'This key is not allowed to use that site.',
  not_found: 'There is no such record.',
  validation_failed: 'title: is required',
  malformed_json: 'The body is not valid JSON.',
  rate_limited: 'More than 60 requests a minute from this address; try again in 12 seconds.',
  precondition_failed: 'The item has changed since it was read; read it again.',
  not_in_trash: 'The item is not in the trash; delete it first.',
  idempotency_in_flight: 'The first request with this Idempotency-Key is still running; try again shortly.',
  idempotency_key_reused: 'This Idempotency-Key was used with another body; use a new key for a new request.',
};

function exampleOf(code: ErrorCode): Json {
  const details = code === 'validation_failed' ? [{ path: 'title', message: 'is required' }] : [];
  const message = messages[code] ?? `${code.replaceAll('_', ' ')}.`;
  return {
    value: {
      success: false,
      error: { code, message, ...(errorCatalogue[code] === 422 ? { details } : {}) },
    },
  };
}

/** A failure of each code, for the document's components. */
export const errorExamples: Json = Object.fromEntries(
  (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => [code, exampleOf(code)]),
);

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Headers that come with every reply below the base. */
export const commonHeaders: Json = {
  'X-Request-Id': header('XRequestId'),
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
};

function failureOf(status: number, codes: ErrorCode[]): Json {
  const retried = status === 429 || status === 503 || codes.includes('idempotency_in_flight');
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: { ...commonHeaders, ...(retried ? { 'Retry-After': header('RetryAfter') } : {}) },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Failure' },
            { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** Responses by status, each with the codes that it can have. */
export function failuresOf(route: AppRoute): Json {
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorCatalogue[code]);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), failureOf(status, codes)]));
}
