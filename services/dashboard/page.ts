import type { BundleIndex, PageFiles } from './bundle.ts';

const assets = '/dashboard/assets';
const api = '/dashboard/api';

/** What a page is rendered for. */
export interface PageRequest {
  /** The path of the URL, with `/dashboard`. */
  path: string;
  /** The URL has a query, on which the first reads of the page may depend. */
  hasQuery: boolean;
  /** The request has the cookie of a session, valid or not. */
  hasSession: boolean;
  /** The nonce of the page's Content-Security-Policy. */
  nonce: string;
}

/** Parameters are letters, digits, `-` and `_` alone, as all slugs and ids are; so they need no escaping. */
const parameters = /\$(\w+)/g;
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(parameters, '(?<$1>[\\w-]+)')}$`);

/** Returns the page at a path below `/dashboard`, with the parameters of the path in its reads; undefined if there is no such page. */
function findPage(pages: readonly PageFiles[], path: string): PageFiles | undefined {
  const below = path.slice('/dashboard'.length).replace(/\/$/, '') || '/';
  for (const page of pages) {
    const found = patternOf(page.path).exec(below);
    if (!found) continue;
    const reads = page.reads.map((read) => read.replace(parameters, (_, name: string) => found.groups![name]!));
    return { ...page, reads };
  }
  return undefined;
}

/**
 * Returns the one page of the dashboard. It holds no inline code and nothing of the user. It names what the requested view needs, so that
 * the browser loads scripts, style sheets and the first reads at once rather than one after the other; without a session it names no reads.
 * Libraries that add style elements read the nonce from the meta element.
 */
export function renderPage({ scripts, styles, fonts, pages }: BundleIndex, request: PageRequest): string {
  const [entry, ...imported] = scripts;
  const page = findPage(pages, request.path);
  const reads = request.hasSession && !request.hasQuery ? (page?.reads ?? []) : [];
  const links = [
    ...styles.map((name) => `<link rel="stylesheet" href="${assets}/${name}">`),
    // as React writes it for `Sheet`, which then takes it as its own
    ...(page?.styles ?? []).map((name) => `<link rel="stylesheet" href="${assets}/${name}" data-precedence="view">`),
    ...[...imported, ...(page?.scripts ?? [])].map((name) => `<link rel="modulepreload" href="${assets}/${name}">`),
    // `fetch` uses these responses: its mode and credentials are those of `crossorigin`
    ...reads.map((read) => `<link rel="preload" as="fetch" crossorigin href="${api}${read.replaceAll('&', '&amp;')}">`),
    ...fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${assets}/${name}">`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${request.nonce}">
<title>Fieldstone</title>
<link rel="icon" href="data:,">
<script type="module" src="${assets}/${entry}"></script>
${links.join('\n')}
</head>
<body>
<div id="root"><noscript>The dashboard needs JavaScript.</noscript></div>
</body>
</html>
`;
}
