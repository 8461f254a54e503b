import { setTimeout as sleep } from 'node:timers/promises';

/** Access to the REST API; `signal` aborts the requests. */
export type ApiAccess = { apiUrl: string; key: string; signal?: AbortSignal };

export type ApiReply = { status: number; data: unknown };

type Envelope = { success: true; data: unknown } | { success: false; error: { message: string } };
type ApiRequest = { method: 'GET' | 'POST'; path: string; body?: unknown; idempotencyKey?: string };

const maxAttempts = 5;
const retryStatuses = new Set([409, 429, 502, 503, 504]);

/**
 * Sends one request to the REST API and returns its status and `data`. Retries replies with `Retry-After` (rate
 * limited, still in progress, an engine that is down) and failed connections; a POST is safe to retry because of its
 * idempotency key. Throws a sentence with the API's own message for every failure whose status is not in `accept`.
 */
export async function callApi(access: ApiAccess, request: ApiRequest, accept: number[] = []): Promise<ApiReply> {
  const name = `${request.method} ${request.path}`;
  for (let attempt = 1; ; attempt++) {
    const response = await sendOnce(access, request).catch((cause: unknown) => {
      if (attempt >= maxAttempts || access.signal?.aborted) {
        throw new Error(`${name}: the API at ${access.apiUrl} cannot be reached.`, { cause });
      }
      return null;
    });
    const waitMs = response === null ? 500 * attempt : retryAfterMs(response);
    if (response !== null && (waitMs === null || attempt >= maxAttempts)) return readReply(name, response, accept);
    await response?.body?.cancel();
    await sleep(waitMs ?? 0, undefined, { signal: access.signal });
  }
}

function sendOnce(access: ApiAccess, request: ApiRequest): Promise<Response> {
  const headers: Record<string, string> = { 'X-API-Key': access.key };
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  if (request.idempotencyKey !== undefined) headers['Idempotency-Key'] = request.idempotencyKey;
  return fetch(`${access.apiUrl}/api/v1${request.path}`, {
    method: request.method,
    headers,
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
    signal: access.signal,
  });
}

/**
 * Returns the milliseconds to wait before a retry, or null if the reply is final: a 409 without `Retry-After` is a real
 * conflict.
 */
function retryAfterMs(response: Response): number | null {
  const header = response.headers.get('Retry-After');
  if (!retryStatuses.has(response.status) || header === null) return null;
  const seconds = Number(header);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.2), 61) * 1000 : 1000;
}

async function readReply(name: string, response: Response, accept: number[]): Promise<ApiReply> {
  const envelope = (await response.json().catch(() => null)) as Envelope | null;
  if (envelope === null) throw new Error(`${name} responded with ${response.status} without a JSON body.`);
  if (envelope.success) return { status: response.status, data: envelope.data };
  if (accept.includes(response.status)) return { status: response.status, data: null };
  throw new Error(`${name} responded with ${response.status}: ${envelope.error.message}`);
}
