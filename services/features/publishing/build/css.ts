import { addressSuffix, shellTarget } from './shell-address.ts';

/** `url(…)` in any quoting, and `@import "…"`; comments are matched first so that they stay as they are. */
const reference = /\/\*[\s\S]*?\*\/|url\(\s*("[^"]*"|'[^']*'|[^"')\s]*)\s*\)|(@import\s+)("[^"]*"|'[^']*')/gi;

function unquote(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1) : text;
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
  return css.replace(
    reference,
    (whole: string, url: string | undefined, keyword: string | undefined, file: string | undefined) => {
      const written = url ?? file;
      if (written === undefined) return whole;
      const address = unquote(written);
      const target = shellTarget(address, cssPath);
      const renamed = target === null ? null : rename(target);
      if (renamed === null) return whole;
      const suffix = addressSuffix(address);
      return url === undefined ? `${keyword}"${renamed}${suffix}"` : `url("${renamed}${suffix}")`;
    },
  );
}
