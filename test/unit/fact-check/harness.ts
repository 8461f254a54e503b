import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedFetcher } from '../../../services/engines/fetch/fetcher.ts';
import { checkFacts } from '../../../services/features/fact-check/check-facts.ts';
import { createStatementReader } from '../../../services/features/fact-check/text/statements.ts';
import type { FactCheckDeps, FactCheckInput, FactCheckLimits } from '../../../services/features/fact-check/types.ts';

export interface Page {
  status?: number;
  type?: string;
  body?: string | Buffer;
  location?: string;
  /** Never responds. */
  silent?: boolean;
}

export interface Site {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  close(): Promise<void>;
}

/** Serves a web site on loopback; paths without a page are 404. A page may depend on the request. */
export async function serveSite(pages: Record<string, Page | ((body: string, url: URL) => Page)>): Promise<Site> {
  const requests: Site['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? '/', 'http://site.test');
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const entry = Object.hasOwn(pages, url.pathname) ? pages[url.pathname] : { status: 404, body: 'no such page' };
    const page = typeof entry === 'function' ? entry(body, url) : (entry ?? {});
    if (page.silent) return;
    const headers = {
      'content-type': page.type ?? 'text/html; charset=utf-8',
      ...(page.location ? { location: page.location } : {}),
    };
    response.writeHead(page.status ?? 200, headers).end(page.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}

/** Checks an article that may link to the given sites, and to no other private host. */
export function checkArticleHtml(
  bodyHtml: string,
  options: {
    sites?: Site[];
    input?: Partial<FactCheckInput>;
    deps?: Partial<FactCheckDeps>;
    limits?: Partial<FactCheckLimits>;
  } = {},
) {
  const allow = (options.sites ?? []).map((site) => new URL(site.url).host);
  const fetcher = createGuardedFetcher({ allow, userAgent: 'fieldstone-test', resolve: async () => ['10.0.0.1'] });
  return checkFacts(
    { contentId: 'item-1', title: 'A title', bodyHtml, locale: 'en', ...options.input },
    { fetcher, clock: () => new Date('2026-03-04T05:06:07.890Z'), ...options.deps },
    options.limits,
  );
}

/** Parses every sentence of a text. */
export function readStatements(text: string, locale = 'en') {
  return [...createStatementReader(locale).read([{ text, links: [], quoted: false }])];
}
