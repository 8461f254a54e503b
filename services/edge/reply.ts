import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Head, securityHead } from './served-file.ts';

/** One response. `pieces` is a body too large for memory; it is read when it is sent. */
export interface Reply {
  status: number;
  head: Head;
  body?: Buffer | undefined;
  pieces?: (() => AsyncIterable<Buffer>) | undefined;
}

/**
 * Sends a reply; HEAD gets only the headers. Resolves when the body has been sent; rejects when sending fails. Adds the
 * bytes of the body to `counts`.
 */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  counts: { sentBytes: number },
): Promise<void> {
  response.writeHead(reply.status, reply.head);
  if (request.method === 'HEAD') {
    response.end();
  } else if (reply.pieces) {
    const pieces = countBytes(reply.pieces(), counts);
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), response);
  } else {
    counts.sentBytes += reply.body?.length ?? 0;
    response.end(reply.body);
  }
}

async function* countBytes(pieces: AsyncIterable<Buffer>, counts: { sentBytes: number }) {
  for await (const piece of pieces) {
    counts.sentBytes += piece.length;
    yield piece;
  }
}

const titles = {
  400: ['Bad request', 'The URL is not valid.'],
  404: ['Not found', 'There is no site or page at this URL.'],
  405: ['Method not allowed', 'Pages can be read with GET and HEAD.'],
  406: ['Not acceptable', 'The page cannot be sent in any of the requested content codings.'],
  412: ['Precondition failed', 'The page does not match If-Match.'],
  414: ['URL too long', 'The URL is longer than 8192 characters.'],
  500: ['Something went wrong', 'The server could not process the request.'],
  503: ['Not available', 'The page cannot be read at the moment. Try again shortly.'],
} as const;

const plainPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

function renderPlain(title: string, sentence: string): Buffer {
  return Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>:root{color-scheme:light dark}body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.6rem}</style>
<h1>${title}</h1><p>${sentence}</p></html>\n`,
  );
}

function createPlainReply(
  status: keyof typeof titles,
  extra: Head = [],
  words: readonly [string, string] = titles[status],
): Reply {
  const body = renderPlain(...words);
  const described = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)];
  const head = [
    ...described,
    'Cache-Control',
    'no-store',
    ...securityHead('public'),
    'Content-Security-Policy',
    plainPolicy,
  ];
  return { status, head: [...head, ...extra], body };
}

/** The edge's own small pages, for requests that no site serves. */
export const plainReplies = {
  400: createPlainReply(400, ['Connection', 'close']),
  404: createPlainReply(404),
  // the body of a refused method is not read, so the connection is closed
  405: createPlainReply(405, ['Allow', 'GET, HEAD', 'Connection', 'close']),
  406: createPlainReply(406, ['Vary', 'Accept-Encoding']),
  412: createPlainReply(412),
  414: createPlainReply(414, ['Connection', 'close']),
  500: createPlainReply(500),
  503: createPlainReply(503, ['Retry-After', '2']),
  unpublished: createPlainReply(404, [], ['Not published yet', 'This site has nothing published yet.']),
  expiredPreview: createPlainReply(
    404,
    ['X-Robots-Tag', 'noindex'],
    ['Preview not found', 'This preview link is not valid or has expired.'],
  ),
} satisfies Record<string, Reply>;

export const healthReply: Reply = {
  status: 200,
  head: ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', '3', 'Cache-Control', 'no-store'],
  body: Buffer.from('ok\n'),
};

const unsafeInHeader = /[^\x21-\x7e]/gu;

/**
 * Converts an international host to its ASCII form (RFC 3987, 3.1): only browsers understand escaped bytes in a host.
 */
function withAsciiHost(url: string): string {
  return url.replace(/^(https?:\/\/)([^/?#]*[^\x21-\x7e/?#][^/?#]*)/i, (whole, scheme: string) =>
    URL.canParse(whole) ? scheme + new URL(whole).host : whole,
  );
}

/** Returns a path without dot segments. A browser would resolve them against `base` too and leave the site. */
const withoutDotSegments = (to: string) => {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(to) ?? [];
  return /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)
    ? new URL(`http://site.invalid/${path.replace(/^[/\\]+/, '')}`).pathname + rest
    : to;
};

/**
 * Returns the Location of a redirect: `to` is an absolute http(s) URL, or a path of the site that is prefixed with
 * `base` (`/sites/demo` or empty). The visitor's query is kept. The result is never `//host` and contains nothing that
 * could end a header.
 */
export function locationOf(to: string, base: string, query: string): string {
  const absolute = /^https?:\/\//i.test(to);
  const target = absolute ? withAsciiHost(to) : `${base}/${withoutDotSegments(to).replace(/^[/\\]+/, '')}`;
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(target) ?? [];
  const joined = query.length > 1 ? address + (address.includes('?') ? `&${query.slice(1)}` : query) : address;
  return (joined + fragment).toWellFormed().replace(unsafeInHeader, encodeURIComponent);
}

/** Creates a redirect. It is revalidated on every request, because redirects change with releases. */
export function redirectReply(status: number, location: string): Reply {
  return {
    status,
    head: ['Location', location, 'Content-Length', '0', 'Cache-Control', 'no-cache', ...securityHead('public')],
  };
}
