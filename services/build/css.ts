import { addressSuffix, shellTarget } from './shell-address.ts';

/** Where comments and references begin. */
const beginnings = /\/\*|url\(|@import(?=[\s"'])/gi;
const space = /\s*/y;
const bare = /[^"')\s]*/y;

/** An address and the place of all that stands for it: `url(…)`, or the string after `@import`. */
interface Reference {
  address: string;
  end: number;
}

function skip(pattern: RegExp, css: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(css);
  return pattern.lastIndex;
}

/** Reads what follows `url(` or `@import`. What is no reference answers where to go on: nothing before begins one either. */
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
  const address = css.slice(isQuoted ? from + 1 : from, to);
  if (!isUrl) return { address, end: to + 1 };
  const end = skip(space, css, isQuoted ? to + 1 : to);
  return css[end] === ')' ? { address, end: end + 1 } : isQuoted ? start : to;
}

/** The shell files that a style sheet refers to, as paths inside the shell. */
export function cssReferences(css: string, cssPath: string): string[] {
  const found = new Set<string>();
  rewriteCss(css, cssPath, (target) => {
    found.add(target);
    return null;
  });
  return [...found];
}

/** Replaces references to shell files by what `rename` answers for the target; null leaves one as it is. */
export function rewriteCss(css: string, cssPath: string, rename: (target: string) => string | null): string {
  let result = '';
  let done = 0;
  const unclosed = new Set<string>();
  const targets = new Map<string, string | null>();
  const targetOf = (address: string): string | null => {
    let target = targets.get(address);
    if (target === undefined) targets.set(address, (target = shellTarget(address, cssPath)));
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
    const { address, end } = reference;
    const target = targetOf(address);
    const renamed = target === null ? null : rename(target);
    if (renamed === null) continue;
    const written = `"${renamed}${addressSuffix(address)}"`;
    result += css.slice(done, found.index) + (isUrl ? `url(${written})` : `${found[0]} ${written}`);
    done = end;
  }
  return result + css.slice(done);
}
