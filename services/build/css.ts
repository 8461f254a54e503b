import { resolveShellUrl, urlSuffix } from './shell-urls.ts';

/** Starts of comments and references. */
const beginnings = /\/\*|url\(|@import(?=[\s"'])/gi;
const space = /\s*/y;
const bare = /[^"')\s]*/y;

/** A URL and the end of its whole reference: `url(…)`, or the string after `@import`. */
interface Reference {
  url: string;
  end: number;
}

function skip(pattern: RegExp, css: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(css);
  return pattern.lastIndex;
}

/**
 * Reads what follows `url(` or `@import`. If it is not a reference, returns the index at which the search continues; no
 * reference starts before it.
 */
function readReference(css: string, start: number, isUrl: boolean, unclosed: Set<string>): Reference | number {
  const from = skip(space, css, start);
  const quote = css[from] ?? '';
  const isQuoted = quote === '"' || quote === "'";
  if (!isQuoted && !isUrl) return start;
  const to = isQuoted ? (unclosed.has(quote) ? -1 : css.indexOf(quote, from + 1)) : skip(bare, css, from);
  if (to < 0) {
    unclosed.add(quote);
    return start;
  }
  const url = css.slice(isQuoted ? from + 1 : from, to);
  if (!isUrl) return { url, end: to + 1 };
  const end = skip(space, css, isQuoted ? to + 1 : to);
  return css[end] === ')' ? { url, end: end + 1 } : isQuoted ? start : to;
}

/** Returns the shell files that a style sheet refers to, as paths inside the shell. */
export function cssReferences(css: string, cssPath: string): string[] {
  const found = new Set<string>();
  rewriteCss(css, cssPath, (target) => {
    found.add(target);
    return null;
  });
  return [...found];
}

/** Replaces references to shell files with the result of `rename` for the target; null keeps a reference unchanged. */
export function rewriteCss(css: string, cssPath: string, rename: (target: string) => string | null): string {
  let result = '';
  let done = 0;
  const unclosed = new Set<string>();
  const targets = new Map<string, string | null>();
  const targetOf = (url: string): string | null => {
    let target = targets.get(url);
    if (target === undefined) {
      target = resolveShellUrl(url, cssPath);
      targets.set(url, target);
    }
    return target;
  };
  const next = new RegExp(beginnings);
  for (let found = next.exec(css); found; found = next.exec(css)) {
    if (found[0] === '/*') {
      const end = css.indexOf('*/', next.lastIndex);
      if (end < 0) break;
      next.lastIndex = end + 2;
      continue;
    }
    const isUrl = !found[0].startsWith('@');
    const reference = readReference(css, next.lastIndex, isUrl, unclosed);
    next.lastIndex = typeof reference === 'number' ? reference : reference.end;
    if (typeof reference === 'number') continue;
    const { url, end } = reference;
    const target = targetOf(url);
    const renamed = target === null ? null : rename(target);
    if (renamed === null) continue;
    const written = `"${renamed}${urlSuffix(url)}"`;
    result += css.slice(done, found.index) + (isUrl ? `url(${written})` : `${found[0]} ${written}`);
    done = end;
  }
  return result + css.slice(done);
}
