import { FetchError } from '../../engines/fetch/errors.ts';
import type { FetchResponse, GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import { createPageText, decodeText, type PageText } from './page-text.ts';
import type { StatementReader } from './text/statements.ts';
import type { CheckedLink } from './types.ts';

/** The result for one link. */
export interface Source extends CheckedLink {
  /** The page's text, if it was wanted and could be read. */
  page: PageText | null;
  /** Whether the server responds that the page does not exist. */
  gone: boolean;
  /** Why there is no text. */
  problem: string;
}

export interface WantedLink {
  url: string;
  /** Whether claims are based on it; otherwise only the status is read. */
  isSource: boolean;
}

interface SourceOptions {
  fetcher: GuardedFetcher;
  readerFor: (language: string | null) => StatementReader;
  signal: AbortSignal | undefined;
  maxParallel: number;
  maxPageBytes: number;
  linkTimeoutMs: number;
  linksTimeoutMs: number;
}

const maxRedirects = 5;
const goneStatuses = new Set([404, 410]);

/**
 * Fetches the links, some concurrently. Links that were not started in time are missing from the result; an interrupted
 * one has no status. Throws only the reason of `signal`.
 */
export async function fetchSources(links: readonly WantedLink[], options: SourceOptions): Promise<Map<string, Source>> {
  const sources = new Map<string, Source>();
  const deadline = AbortSignal.timeout(options.linksTimeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const queue = links.values();
  async function work(): Promise<void> {
    for (const link of queue) {
      if (signal.aborted) break;
      sources.set(link.url, await fetchSource(link, signal, options));
    }
  }
  await Promise.all(Array.from({ length: options.maxParallel }, work));
  options.signal?.throwIfAborted();
  return sources;
}

async function fetchSource(link: WantedLink, signal: AbortSignal, options: SourceOptions): Promise<Source> {
  const source: Source = { url: link.url, ok: false, status: null, page: null, gone: false, problem: '' };
  try {
    const response = await options.fetcher.open(toAbsolute(link.url), {
      // Only the beginning of a large page is read, so its announced size must not matter.
      maxBytes: Number.MAX_SAFE_INTEGER,
      totalTimeoutMs: options.linkTimeoutMs,
      idleTimeoutMs: options.linkTimeoutMs,
      maxRedirects,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5',
      signal,
    });
    try {
      source.status = response.status;
      source.ok = response.status >= 200 && response.status <= 299;
      source.gone = goneStatuses.has(response.status);
      if (!source.ok) source.problem = `The server responded with status ${response.status}.`;
      if (source.ok && link.isSource) await readPage(source, response, options);
    } finally {
      response.close();
    }
  } catch (error) {
    source.ok = false;
    source.problem = explain(error, signal);
  }
  return source;
}

/** Resolves links without a scheme to https, the scheme of the site. */
function toAbsolute(url: string): string {
  return url.startsWith('//') ? `https:${url}` : url;
}

function explain(error: unknown, signal: AbortSignal): string {
  if (error instanceof FetchError) return error.message;
  if (signal.aborted) return 'The time for this check was used up.';
  throw error;
}

async function readPage(source: Source, response: FetchResponse, options: SourceOptions): Promise<void> {
  const type = response.headers['content-type'] ?? 'text/html';
  if (!/^\s*(?:text\/|application\/(?:xhtml\+xml|xml|json|ld\+json))/i.test(type)) {
    source.problem = 'The page is not text.';
    return;
  }
  const { bytes, truncated } = await readBeginning(response.body, options.maxPageBytes);
  source.page = createPageText(decodeText(bytes, type), {
    isHtml: /html|xml/i.test(type),
    truncated,
    readerFor: options.readerFor,
  });
}

async function readBeginning(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    receivedBytes += chunk.byteLength;
    if (receivedBytes > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: receivedBytes > maxBytes };
}
