import { FieldstoneError } from './errors.ts';
import type { Data, Fields, Item, ListOperation, OperationId, RawBody, Request } from './operation-types.ts';

/** Method and path of operations, by operationId. */
export type OperationTable<Known extends OperationId> = Readonly<
  Record<Known, readonly [method: string, path: string]>
>;

export interface ClientOptions {
  /** The service's origin, such as `https://cms.example.com`. */
  url: string;
  /** `fs_…` */
  key: string;
  /**
   * Number of retries after network errors (TypeError of `fetch`) and responses that may pass; `Retry-After` is
   * respected. Default 4.
   */
  retries?: number;
  /** Maximum wait before one retry; if `Retry-After` is longer, the error is thrown. Default 60,000. */
  maxWaitMs?: number;
  fetch?: typeof fetch;
}

export interface WaitOptions {
  /** Maximum number of seconds that one request waits for the end of the job, 0 to 60. Default 30. */
  waitSeconds?: number;
  /** Minimum interval of requests. Default 1,000. */
  intervalMs?: number;
  /** Called with the job after each request. */
  onProgress?: (job: Data<'getJob'>) => void;
  signal?: AbortSignal;
}

export interface CallOptions {
  /**
   * Idempotency key. By default POST requests get a random one, so that a retry does not repeat the write; null sends
   * none.
   */
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Pagination {
  total: number;
  page: number;
  per_page: number;
  total_pages: number;
}

/** A response of the service. */
export interface Result<T> {
  data: T;
  /** The bytes of a reply that is not JSON, such as a file of the shell; `data` is then their text. */
  bytes?: Uint8Array<ArrayBuffer>;
  status: number;
  etag: string | null;
  /** Whether this is the stored reply of an earlier request with the same idempotency key. */
  replayed: boolean;
  pagination?: Pagination;
}

/** One page of a list. */
export interface Page<T> extends Result<T[]> {
  pagination: Pagination;
}

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Returns whether a retry may succeed after this error; a write without an idempotency key is retried only if it cannot
 * have run.
 */
function mayRetry(method: string, error: FieldstoneError, hasKey: boolean): boolean {
  if (error.code === 'idempotency_in_flight' || error.status === 429) return true;
  return retriedStatuses.has(error.status) && (method !== 'POST' || hasKey);
}

/**
 * Checks in JavaScript what TypeScript's types check: otherwise the request would be sent without the missing members.
 * Throws TypeError.
 */
function requireMembers(id: string, template: string, request: Record<string, unknown>): void {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const missing = names.find((name) => request[name] === undefined || request[name] === '');
  if (missing) throw new TypeError(`${id} needs ${missing}.`);
  const unknown = Object.keys(request).find((name) => ![...names, 'query', 'body'].includes(name));
  if (unknown)
    throw new TypeError(`${id} takes ${[...names, 'query', 'body'].join(', ')}; ${unknown} is not one of them.`);
}

/** Returns a query parameter as it is sent: lists comma-separated, the members of `filter` one by one. */
function queryPairs(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, one]) => queryPairs(`${name}[${member}]`, one));
}

function urlOf(base: string, template: string, request: Record<string, unknown>): string {
  const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const encoded = encodeURIComponent(String(request[name]));
    return name === 'path' ? encoded.replaceAll('%2F', '/') : encoded;
  });
  const query = Object.entries((request['query'] ?? {}) as Record<string, unknown>);
  const search = new URLSearchParams(query.flatMap(([name, value]) => queryPairs(name, value)));
  return `${base}/api/v1${path}${search.size > 0 ? `?${search}` : ''}`;
}

function bodyOf(body: unknown): { body?: RawBody; contentType?: string } {
  if (body === undefined || body === null) return {};
  const isSent =
    typeof body === 'string' ||
    body instanceof FormData ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body);
  return isSent ? { body: body as RawBody } : { body: JSON.stringify(body), contentType: 'application/json' };
}

/** Rejects with the signal's reason as soon as it is aborted, and removes its listener in any case. */
const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });

/** Creates a client of one Fieldstone service for the operations of `table`, which must include `getJob`. */
export function createClientOf<Known extends OperationId>(
  table: OperationTable<Known | 'getJob'>,
  { url, key, retries = 4, maxWaitMs = 60_000, fetch: send = fetch }: ClientOptions,
) {
  const base = url.replace(/\/+$/, '');

  async function read(response: Response): Promise<Result<unknown>> {
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const parsed = isJson ? JSON.parse(text) : undefined;
    if (!response.ok) throw new FieldstoneError(response, parsed?.error ?? {});
    return {
      data: isJson ? parsed.data : response.status === 204 ? null : text,
      ...(isJson ? {} : { bytes }),
      status: response.status,
      etag: response.headers.get('etag'),
      replayed: response.headers.get('idempotency-replayed') === 'true',
      ...(parsed?.pagination ? { pagination: parsed.pagination } : {}),
    };
  }

  /**
   * Runs one operation. `fields` in the query also narrows the result's type. Throws FieldstoneError for an
   * unsuccessful response, after its retries, and TypeError for a request that lacks a path parameter.
   */
  async function call<Id extends Known | 'getJob', const F extends Fields<Id> = undefined>(
    id: Id,
    request: Request<Id, F>,
    options: CallOptions = {},
  ): Promise<Result<Data<Id, F>>> {
    const [method, template] = table[id];
    requireMembers(id, template, request);
    const { body, contentType } = bodyOf((request as { body?: unknown }).body);
    const idempotencyKey =
      method === 'POST' && options.idempotencyKey === undefined ? crypto.randomUUID() : options.idempotencyKey;
    const headers: Record<string, string> = {
      'X-API-Key': key,
      ...(contentType ? { 'Content-Type': contentType } : {}),
      ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      ...options.headers,
    };
    const target = urlOf(base, template, request);
    for (let attempt = 0; ; attempt++) {
      const backoffMs = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
      try {
        const init: RequestInit = { method, headers, ...(body === undefined ? {} : { body }) };
        if (options.signal) init.signal = options.signal;
        return (await read(await send(target, init))) as Result<Data<Id, F>>;
      } catch (error) {
        if (options.signal?.aborted || attempt >= retries) throw error;
        let waitMs = backoffMs;
        if (error instanceof FieldstoneError) {
          if (!mayRetry(method, error, Boolean(idempotencyKey))) throw error;
          if (error.retryAfterSeconds !== null) waitMs = error.retryAfterSeconds * 1000;
        } else if (!(error instanceof TypeError) || (method === 'POST' && !idempotencyKey)) throw error;
        if (waitMs > maxWaitMs) throw error;
        await wait(waitMs, options.signal);
      }
    }
  }

  /**
   * Yields the pages of a list, from the first or from `query.page`. Pages have 100 records unless `query.per_page`
   * says otherwise.
   */
  async function* pages<Id extends Known & ListOperation, const F extends Fields<Id> = undefined>(
    id: Id,
    request: Request<Id, F>,
    options: CallOptions = {},
  ): AsyncGenerator<Page<Item<Id, F>>> {
    const query: Record<string, unknown> = { per_page: 100, page: 1, ...request.query };
    for (let page = Number(query['page']); ; page++) {
      const sent = { ...request, query: { ...query, page } } as unknown as Request<Id, F>;
      const result = (await call(id, sent, options)) as Page<Item<Id, F>>;
      yield result;
      if (page >= result.pagination.total_pages) return;
    }
  }

  /** Yields the records of a list, page by page. */
  async function* list<Id extends Known & ListOperation, const F extends Fields<Id> = undefined>(
    id: Id,
    request: Request<Id, F>,
    options: CallOptions = {},
  ): AsyncGenerator<Item<Id, F>> {
    for await (const { data } of pages<Id, F>(id, request, options)) yield* data;
  }

  /** Waits until a job has succeeded or failed, and returns it. */
  async function waitForJob(
    uuid: string,
    { waitSeconds = 30, intervalMs = 1000, onProgress, signal }: WaitOptions = {},
  ): Promise<Data<'getJob'>> {
    for (;;) {
      const sentMs = performance.now();
      const { data } = await call('getJob', { uuid, query: { wait: waitSeconds } }, signal ? { signal } : {});
      onProgress?.(data);
      if (data.finished_at !== null) return data;
      await wait(Math.max(0, sentMs + intervalMs - performance.now()), signal);
    }
  }

  return { call, pages, list, waitForJob };
}
