import { endOfRawText, endOfTag } from './tags.ts';

/** Starts of comments and tags. */
const beginnings = /<!--|<([a-zA-Z][^\s/>]*)/g;
/** Elements whose content is text, whatever it looks like. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
/** Attributes that hold one URL, and their value in any quoting. */
const addressAttribute = /(\s(?:href|src|action|formaction|poster|data|cite)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;
const setAttribute = /(\s(?:srcset|imagesrcset)\s*=\s*)("[^"]*"|'[^']*')/gi;
/** A cheap test: most pages without such an attribute are not parsed. */
const mayHaveRooted = /=\s*(?:["']\s*)?\/(?!\/)|srcset/i;

/** Selects the URLs to change and maps each to its replacement. */
interface Change {
  concerns(address: string): boolean;
  map(address: string): string;
}

/** Returns whether a URL is relative to the site's root: `/about/`, but not `//host/…`. */
function isRooted(address: string): boolean {
  return address.startsWith('/') && !address.startsWith('//') && !address.startsWith('/\\');
}

/** Returns whether a URL has neither scheme nor host, so that a browser resolves it against the page's URL. */
function isIncomplete(address: string): boolean {
  return address !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address);
}

function mapValue(quoted: string, { concerns, map }: Change): string {
  const quote = quoted[0] === '"' || quoted[0] === "'" ? quoted[0] : '';
  const value = quote ? quoted.slice(1, -1) : quoted;
  const trimmed = value.trim();
  return concerns(trimmed) ? quote + map(trimmed) + quote : quoted;
}

function mapSet(quoted: string, { concerns, map }: Change): string {
  const quote = quoted[0]!;
  const candidates = quoted
    .slice(1, -1)
    .split(/,\s+/)
    .map((candidate) => {
      const [address = '', ...rest] = candidate.trim().split(/\s+/);
      return [concerns(address) ? map(address) : address, ...rest].join(' ');
    });
  return quote + candidates.join(', ') + quote;
}

function mapTag(tag: string, change: Change): string {
  return tag
    .replace(addressAttribute, (_, name: string, value: string) => name + mapValue(value, change))
    .replace(setAttribute, (_, name: string, value: string) => name + mapSet(value, change));
}

/**
 * Rewrites every URL of a page that is relative to the site's root (`href="/about/"`). Text, comments and the content
 * of scripts and styles are unchanged. `map` receives the URL as written and returns its replacement.
 */
export function mapRootedLinks(html: string, map: (address: string) => string): string {
  return mayHaveRooted.test(html) ? mapLinks(html, { concerns: isRooted, map }) : html;
}

/** Makes every URL in a part of the page `pageUrl` absolute; the site's root is `siteUrl`. */
export function completeLinks(html: string, pageUrl: string, siteUrl: string): string {
  const map = (address: string) =>
    isRooted(address) ? siteUrl + address : URL.canParse(address, pageUrl) ? new URL(address, pageUrl).href : address;
  return mapLinks(html, { concerns: isIncomplete, map });
}

function mapLinks(html: string, change: Change): string {
  let result = '';
  let done = 0;
  const next = new RegExp(beginnings);
  for (let found = next.exec(html); found; found = next.exec(html)) {
    const name = found[1]?.toLowerCase();
    const end = name === undefined ? endOfComment(html, found.index) : endOfTag(html, found.index);
    if (end < 0) break; // a browser treats the rest of the document as part of it
    next.lastIndex = end;
    if (name === undefined) continue;
    result += html.slice(done, found.index) + mapTag(html.slice(found.index, end), change);
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
