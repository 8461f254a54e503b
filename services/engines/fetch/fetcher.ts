import type { Dispatcher } from 'undici';
import { abortable } from '../../core/abortable.ts';
import { forbidInTransaction } from '../transaction-guard.ts';
import { checkAnnouncedBody, flattenHeaders, limitBody } from './body.ts';
import { createPinnedClient, type Dial, dialAddresses } from './connect.ts';
import { fetchError } from './errors.ts';
import { type ResolveHost, resolveHost, resolveTarget } from './resolve.ts';
import { parseAllowList, parseSecureTarget, parseTarget, type Target } from './target.ts';
import { startTransfer, type Transfer } from './transfer.ts';

export interface FetcherOptions {
  /** `host:port` pairs, as written in URLs, that may be reached although they are private. */
  allow: readonly string[];
  userAgent: string;
  connectTimeoutMs?: number;
  /** Time from the request to the end of the response headers. */
  headersTimeoutMs?: number;
  maxHeaderBytes?: number;
  ca?: string[];
  resolve?: ResolveHost;
  dial?: Dial;
}

export interface OpenOptions {
  method?: 'GET' | 'HEAD';
  maxBytes: number;
  /** Total time: name resolution, connections, redirects and the whole body. */
  totalTimeoutMs?: number;
  /** Maximum pause within the body. */
  idleTimeoutMs?: number;
  maxRedirects?: number;
  accept?: string;
  /** Whether responses other than 2xx become FetchError `bad_status`. */
  requireOk?: boolean;
  signal?: AbortSignal;
}

export interface PostOptions {
  body: Buffer;
  /** In addition to the headers of every request. */
  headers: Record<string, string>;
  totalTimeoutMs: number;
  signal?: AbortSignal;
}

export interface FetchResponse {
  /** The URL that responded, after redirects. */
  url: string;
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  /** Ends the transfer; needed if the body is not read to its end, harmless otherwise. */
  close(): void;
}

export interface GuardedFetcher {
  open(url: string, options: OpenOptions): Promise<FetchResponse>;
  fetchBytes(
    url: string,
    options: OpenOptions,
  ): Promise<{ url: string; status: number; headers: Record<string, string>; bytes: Buffer }>;
  /**
   * Posts to an endpoint that a user configured: over https, unless the operator allowed its `host:port`. Resolves to
   * the status, whatever it is; follows no redirect and does not read the response body. Throws as `open` does.
   */
  post(url: string, options: PostOptions): Promise<{ status: number }>;
}

const defaults = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 20_000,
  totalTimeoutMs: 60_000,
  idleTimeoutMs: 15_000,
  maxRedirects: 5,
  maxHeaderBytes: 16_384,
};
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the only client for URLs that users enter. `open` resolves when the headers have arrived; it and the body
 * throw FetchError, or the reason of `signal` if that ends the transfer. Source: spec "Media item", contract
 * "FIELDSTONE_FETCH_ALLOW".
 */
export function createGuardedFetcher(options: FetcherOptions): GuardedFetcher {
  const allow = parseAllowList(options.allow);
  const settings = { ...defaults, resolve: resolveHost, dial: dialAddresses, ...options, allow };

  async function open(url: string, request: OpenOptions): Promise<FetchResponse> {
    forbidInTransaction('A fetch');
    const transfer = startTransfer(request.totalTimeoutMs ?? defaults.totalTimeoutMs, request.signal);
    try {
      return await followRedirects(url, request, transfer, settings);
    } catch (error) {
      transfer.close();
      throw transfer.toError(error);
    }
  }

  async function fetchBytes(url: string, request: OpenOptions) {
    const { body, close: _close, ...head } = await open(url, request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { ...head, bytes: Buffer.concat(chunks) };
  }

  async function post(url: string, { body, headers, ...request }: PostOptions) {
    forbidInTransaction('A fetch');
    const transfer = startTransfer(request.totalTimeoutMs ?? defaults.totalTimeoutMs, request.signal);
    try {
      const target = parseSecureTarget(url, allow);
      const response = await requestTarget(target, { method: 'POST', body, headers }, transfer, settings);
      return { status: response.statusCode };
    } catch (error) {
      throw transfer.toError(error);
    } finally {
      transfer.close();
    }
  }

  return { open, fetchBytes, post };
}

type Settings = typeof defaults & {
  userAgent: string;
  ca?: string[];
  resolve: ResolveHost;
  dial: Dial;
  allow: Set<string>;
};

async function followRedirects(
  url: string,
  request: OpenOptions,
  transfer: Transfer,
  settings: Settings,
): Promise<FetchResponse> {
  const maxRedirects = request.maxRedirects ?? settings.maxRedirects;
  let target = parseTarget(url, settings.allow);
  for (let redirects = 0; ; redirects++) {
    const response = await requestTarget(target, request, transfer, settings);
    const headers = flattenHeaders(response.headers);
    if (!redirectStatuses.has(response.statusCode))
      return presentResponse(target, response, headers, request, transfer);
    if (redirects >= maxRedirects) throw fetchError('too_many_redirects');
    if (!headers['location']) throw fetchError('bad_response');
    target = parseTarget(headers['location'], settings.allow, target.url);
  }
}

interface Sent extends Pick<OpenOptions, 'accept' | 'idleTimeoutMs'> {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  body?: Buffer;
}

async function requestTarget(target: Target, request: Sent, transfer: Transfer, settings: Settings) {
  // the system's name lookup cannot be cancelled
  const addresses = await abortable(resolveTarget(target, settings.resolve, transfer.signal), transfer.signal);
  const client = createPinnedClient(target, addresses, { ...settings, signal: transfer.signal });
  transfer.use(client);
  const response = await client.request({
    method: request.method ?? 'GET',
    path: target.url.pathname + target.url.search,
    headers: {
      'user-agent': settings.userAgent,
      accept: request.accept ?? '*/*',
      'accept-encoding': 'identity',
      ...request.headers,
    },
    body: request.body ?? null,
    signal: transfer.signal,
    headersTimeout: settings.headersTimeoutMs,
    bodyTimeout: request.idleTimeoutMs ?? settings.idleTimeoutMs,
    reset: true,
  });
  // An unread body still emits its errors; a reader gets them from the iteration.
  response.body.on('error', () => {});
  return response;
}

function presentResponse(
  target: Target,
  response: Dispatcher.ResponseData,
  headers: Record<string, string>,
  request: OpenOptions,
  transfer: Transfer,
): FetchResponse {
  const status = response.statusCode;
  if (request.requireOk && (status < 200 || status > 299)) {
    throw fetchError('bad_status', { message: `The server of the URL responded with status ${status}.` });
  }
  if (request.method !== 'HEAD') checkAnnouncedBody(headers, request.maxBytes);
  const body = limitBody(response.body, {
    maxBytes: request.maxBytes,
    toError: transfer.toError,
    close: transfer.close,
  });
  return { url: target.url.href, status, headers, body, close: transfer.close };
}
