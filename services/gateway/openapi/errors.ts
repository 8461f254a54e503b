import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { takesFields } from '../../core/fields.ts';
import { siteRoles } from '../../core/roles.ts';
import { operationKindOf, rolesWith } from '../../features/access/index.ts';
import type { AppRoute } from '../../features/route.ts';

type Json = Record<string, unknown>;

const always: ErrorCode[] = ['unauthorized', 'scope_missing', 'rate_limited', 'internal_error', 'unavailable'];
const ofBodies: ErrorCode[] = ['too_large', 'unsupported_media_type', 'request_timeout', 'bad_request'];
const ofPosts: ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused', 'idempotency_key_invalid'];

/** Returns every error that a route can return: those of its stages and its own. */
export function errorsOf(route: AppRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>([...always, ...(route.errors ?? [])]);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (/[:*]/.test(route.path)) add('not_found');
  if (route.path.includes(':site')) add('site_not_allowed');
  if (route.siteOf) add('site_not_allowed', 'not_found', 'validation_failed');
  if (rolesWith(operationKindOf(route)).length < siteRoles.length) add('role_insufficient');
  // a protocol's own server reads the body: its route names the errors
  const readsBody = !['ignored', 'protocol'].includes(route.body.kind);
  if (route.query || takesFields(route) || readsBody || route.path.includes('*')) add('validation_failed');
  if (readsBody) add(...ofBodies);
  if (readsBody && route.body.kind !== 'raw') add('malformed_json');
  if (route.method === 'POST' && route.body.kind !== 'protocol') add(...ofPosts);
  if (route.etag) add('precondition_failed', 'validation_failed');
  return [...codes];
}

/** The message of each code; an example where the message depends on the request. */
const messages: Record<ErrorCode, string> = {
  bad_request: 'The connection ended before the body was complete.',
  unauthorized: 'The API key is missing or not valid.',
  scope_missing: 'This key lacks the scope that the operation needs.',
  site_not_allowed: 'This key is not allowed to use that site.',
  role_insufficient: "The user's role on this site is viewer; this needs owner or editor.",
  forbidden: 'This is not allowed.',
  not_found: 'There is no such record.',
  method_not_allowed: 'This path allows GET, POST.',
  request_timeout: 'The body did not arrive in time; send it again.',
  conflict:
    'There is already an item with the source_ref cms-1042; update it, or use PUT …/content/by-ref/{source_ref}.',
  slug_taken: 'There is already a site with the slug demo.',
  domain_taken: 'The host name www.example.com belongs to another site.',
  from_taken: 'There is already a redirect from /old/.',
  translation_taken: 'The item has a translation into de already; change that one.',
  draft_conflict: 'The item has changed since the draft was begun, in members that the draft changes too: title.',
  locale_taken: 'The site has the locale de already.',
  default_locale: 'The default locale cannot be removed; make another one the default first.',
  not_in_trash: 'The item is not in the trash; only items in the trash can be restored or purged.',
  in_use: 'Pages of the live site show this item; remove it from them and publish, then purge it.',
  idempotency_in_flight: 'The first request with this Idempotency-Key is still running; try again shortly.',
  precondition_failed: 'The record has changed since it was read; read it again.',
  too_large: 'The body is larger than the 4194304 bytes allowed here.',
  unsupported_media_type: 'Send the body as application/json.',
  validation_failed: 'title: is required',
  malformed_json: 'The body is not valid JSON.',
  idempotency_key_invalid: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  idempotency_key_reused: 'This Idempotency-Key was used with another body; use a new key for a new request.',
  fetch_refused: 'The URL does not lead to a public address.',
  compile_failed: 'The component does not compile: line 1, column 9: Unexpected "}".',
  rate_limited: 'More than 60 requests a minute from this address; try again in 12 seconds.',
  internal_error: 'Something went wrong on our side; the request id names it in our logs.',
  unavailable: 'The database cannot be reached at the moment; try again shortly.',
};

function exampleOf(code: ErrorCode): Json {
  const details = code === 'validation_failed' ? [{ path: 'title', message: 'is required' }] : [];
  return {
    value: {
      success: false,
      error: { code, message: messages[code], ...(errorCatalogue[code] === 422 ? { details } : {}) },
    },
  };
}

/** Returns an example of each error that these routes can return, for the document's components. */
export function errorExamples(routes: readonly AppRoute[]): Json {
  const codes = new Set(routes.flatMap(errorsOf));
  const used = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
  return Object.fromEntries(used.map((code) => [code, exampleOf(code)]));
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every reply below the base. */
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

/** Returns the route's error responses by status, each with its codes. */
export function failuresOf(route: AppRoute): Json {
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorCatalogue[code]);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), failureOf(status, codes)]));
}
