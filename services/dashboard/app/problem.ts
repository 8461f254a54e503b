/** One rejected member of a request. */
export interface ProblemDetail {
  path: string;
  message: string;
}

/** A request that failed, as the envelope of errors describes it; every call of the dashboard throws only this. */
export class Problem extends Error {
  /** A word of the error catalogue (docs/api.md), or `unreachable` without a response. */
  readonly code: string;
  /** The status of the response; 0 without one. */
  readonly status: number;
  readonly details: readonly ProblemDetail[];
  /** The id of the request in the service's log; null without a response. */
  readonly requestId: string | null;
  /** Seconds after which the same request may succeed; null if the service does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, fields: Pick<Problem, 'code' | 'status'> & Partial<Problem>) {
    super(message);
    this.name = 'Problem';
    this.code = fields.code;
    this.status = fields.status;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

/** Reads the error of a response without success status. A body that is not the envelope, such as that of a proxy, yields the status alone. */
export async function readProblem(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as {
    error?: { message?: string; code?: string; details?: ProblemDetail[] };
  } | null;
  const { message, code, details } = body?.error ?? {};
  const retryAfter = response.headers.get('Retry-After');
  return new Problem(message ?? `The service replied with status ${response.status}.`, {
    code: code ?? 'unknown',
    status: response.status,
    details: details ?? [],
    requestId: response.headers.get('X-Request-Id'),
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  });
}

/** Returns any thrown value as a Problem: any other value means that a request got no response, or a defect of the page. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message))
    return new Problem('The service cannot be reached. Check the connection; nothing was lost on this page.', {
      code: 'unreachable',
      status: 0,
    });
  return new Problem(error instanceof Error ? error.message : String(error), { code: 'unknown', status: 0 });
}
