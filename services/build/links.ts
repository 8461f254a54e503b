import { endOfRawText, endOfTag } from './tags.ts';

/** Starts of comments and tags. */
const beginnings = /<!--|<([a-zA-Z][^\s/>]*)/g;
/** Elements whose content is text, whatever it looks like. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
/** Attributes that hold one URL, and their value in any quoting. */
const urlAttribute = /(\s(?:href|src|action|formaction|poster|data|cite)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;
const srcsetAttribute = /(\s(?:srcset|imagesrcset)\s*=\s*)("[^"]*"|'[^']*')/gi;
/** A cheap test: most pages without such an attribute are not parsed. */
const mayHaveRootRelative = /=\s*(?:["']\s*)?\/(?!\/)|srcset/i;

/** Selects the URLs to change and maps each to its replacement. */
interface UrlRewrite {
  selects(url: string): boolean;
  map(url: string): string;
}

/** Returns whether a URL is relative to the site's root: `/about/`, but not `//host/…`. */
function isRootRelative(url: string): boolean {
  return url.startsWith('/') && !url.startsWith('//') && !url.startsWith('/\\');
}

/** Returns whether a URL has neither scheme nor host, so that a browser resolves it against the page's URL. */
function isRelative(url: string): boolean {
  return url !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(url);
}

function mapValue(quoted: string, { selects, map }: UrlRewrite): string {
  const quote = quoted[0] === '"' || quoted[0] === "'" ? quoted[0] : '';
  const value = quote ? quoted.slice(1, -1) : quoted;
  const trimmed = value.trim();
  return selects(trimmed) ? quote + map(trimmed) + quote : quoted;
}

function mapSrcset(quoted: string, { selects, map }: UrlRewrite): string {
  const quote = quoted[0]!;
  const candidates = quoted
    .slice(1, -1)
    .split(/,\s+/)
    .map((candidate) => {
      const [url = '', ...rest] = candidate.trim().split(/\s+/);
      return [selects(url) ? map(url) : url, ...rest].join(' ');
    });
  return quote + candidates.join(', ') + quote;
}

function mapTag(tag: string, rewrite: UrlRewrite): string {
  return tag
    .replace(urlAttribute, (_, name: string, value: string) => name + mapValue(value, rewrite))
    .replace(srcsetAttribute, (_, name: string, value: string) => name + mapSrcset(value, rewrite));
}

/**
 * Rewrites every URL of a page that is relative to the site's root (`href="/about/"`). Text, comments and the content
 * of scripts and styles are unchanged. `map` receives the URL as written and returns its replacement.
 */
export function mapRootRelativeLinks(html: string, map: (url: string) => string): string {
  return mayHaveRootRelative.test(html) ? mapLinks(html, { selects: isRootRelative, map }) : html;
}

/** Makes every URL in a part of the page `pageUrl` absolute; the site's root is `siteUrl`. */
export function makeLinksAbsolute(html: string, pageUrl: string, siteUrl: string): string {
  const map = (url: string) =>
    isRootRelative(url) ? siteUrl + url : URL.canParse(url, pageUrl) ? new URL(url, pageUrl).href : url;
  return mapLinks(html, { selects: isRelative, map });
}

function mapLinks(html: string, rewrite: UrlRewrite): string {
  let result = '';
  let done = 0;
  const next = new RegExp(beginnings);
  for (let found = next.exec(html); found; found = next.exec(html)) {
    const name = found[1]?.toLowerCase();
    const end = name === undefined ? endOfComment(html, found.index) : endOfTag(html, found.index);
    if (end < 0) break; // a browser treats the rest of the document as part of it
    next.lastIndex = end;
    if (name === undefined) continue;
    result += html.slice(done, found.index) + mapTag(html.slice(found.index, end), rewrite);
    done = end;
    if (!rawText.has(name)) continue;
    next.lastIndex = endOfRawText(html, name, end);
    if (next.lastIndex < end) break;
  }
  return result + html.slice(done);
}

function endOfComment(html: string, start: number): number {
  const end = html.indexOf('-->', start + 4);
  return end < 0 ? -1 : end + 3;
}
