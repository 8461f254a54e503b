/**
 * The catalogue of all errors that a client may see. `code` is stable and sent as `error.code`; the status follows from
 * it. Source: spec "Errors", contract "Conventions".
 */
export const errorCatalogue = {
  bad_request: 400,
  unauthorized: 401,
  scope_missing: 403,
  site_not_allowed: 403,
  role_insufficient: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  slug_taken: 409,
  domain_taken: 409,
  from_taken: 409,
  locale_taken: 409,
  translation_taken: 409,
  draft_conflict: 409,
  default_locale: 409,
  not_in_trash: 409,
  in_use: 409,
  idempotency_in_flight: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  malformed_json: 422,
  idempotency_key_invalid: 422,
  idempotency_key_reused: 422,
  fetch_refused: 422,
  compile_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** One thing to fix in a request: `path` names the member (`items.3.title`), `message` says what it must be. */
export interface ErrorDetail {
  path: string;
  message: string;
}

interface ProblemOptions {
  details?: ErrorDetail[];
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Additional response headers, such as `Allow`. */
  headers?: Record<string, string>;
  cause?: unknown;
  /** With `unavailable`: the code of an engine's refusal; a retry fails until the cause is fixed. */
  refusedAs?: string | undefined;
  /**
   * With `unavailable`: all engines are available, but the caller has too much work in progress; an immediate retry
   * fails.
   */
  isBusy?: boolean;
}

/** An error whose message is written for the client: a sentence that says what to fix, without internals. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Record<string, string>;
  readonly refusedAs: string | undefined;
  readonly isBusy: boolean;

  constructor(code: ErrorCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = errorCatalogue[code];
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.refusedAs = options.refusedAs;
    this.isBusy = options.isBusy ?? false;
  }
}

/** Creates an error of the catalogue, to be thrown. */
export function problem(code: ErrorCode, message: string, options?: ProblemOptions): Problem {
  return new Problem(code, message, options);
}

/** Returns the 404 for a record: `notFound('content item')`. */
export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`);
}

/** Bounds the reply to a body with a million invalid members. */
const maxDetails = 100;

/** Returns a 422 with its `details`; the message repeats the first detail so that it can be read alone. */
export function invalid(details: ErrorDetail[]): Problem {
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = first ? `${first.path ? `${first.path}: ` : ''}${first.message}${more}` : 'The request is not valid.';
  return new Problem('validation_failed', message, { details: details.slice(0, maxDetails) });
}
