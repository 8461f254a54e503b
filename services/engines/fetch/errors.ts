/**
 * The message of each failure, written for API users: it says what to fix, and never what responds inside the network,
 * so a name that does not resolve and one that resolves to a private address read the same.
 */
const sentences = {
  invalid_url: 'The URL is not a valid absolute http or https URL.',
  refused_scheme: 'Only http and https URLs can be fetched.',
  insecure_scheme: 'Only https URLs can be used here.',
  refused_credentials: 'The URL must not contain a user name or a password.',
  refused_port: 'The port of the URL is not allowed; use 80, 443, 8080 or 8443.',
  refused_address: 'The URL does not lead to a public address.',
  dns_failed: 'The URL does not lead to a public address.',
  connect_failed: 'The server of the URL could not be reached.',
  timeout: 'The server of the URL took too long to respond.',
  too_large: 'The response is larger than the limit.',
  too_many_redirects: 'The URL was redirected too many times.',
  bad_status: 'The response of the server is not a success.',
  bad_response: 'The response of the server could not be read.',
} as const;

export type FetchErrorCode = keyof typeof sentences;

/** `code` is for programs, `message` for the API user; `cause` is only logged. */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FetchError';
    this.code = code;
  }
}

/** Creates a FetchError of this code, with the code's default message unless a more specific one is passed. */
export function fetchError(code: FetchErrorCode, options: { message?: string; cause?: unknown } = {}): FetchError {
  return new FetchError(code, options.message ?? sentences[code], options.cause);
}
