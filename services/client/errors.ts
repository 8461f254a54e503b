/** An error response of the service: `code` for programs, `message` for people, `details` with 422. */
export class FieldstoneError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: { path: string; message: string }[];
  /** Identifies the request in the service's logs. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    response: Response,
    failure: { code?: string; message?: string; details?: { path: string; message: string }[] },
  ) {
    super(failure.message ?? `The service responded with ${response.status}.`);
    this.name = 'FieldstoneError';
    this.status = response.status;
    this.code = failure.code ?? 'unknown';
    this.details = failure.details ?? [];
    this.requestId = response.headers.get('x-request-id');
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  }
}
