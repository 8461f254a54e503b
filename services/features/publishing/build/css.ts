import path from 'node:path';

/** `url(…)` in any quoting, and `@import "…"`; comments are matched first so that they stay as they are. */
const reference = /\/\*[\s\S]*?\*\/|url\(\s*("[^"]*"|'[^']*'|[^"')\s]*)\s*\)|(@import\s+)("[^"]*"|'[^']*')/gi;

function unquote(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1) : text;
}

/** The shell file that an address in a style sheet means, or null for other hosts, data and fragments. */
function targetOf(address: string, cssPath: string): string | null {
  const [, file = ''] = /^([^?#]*)/.exec(address) ?? [];
  if (file === '' || /^[a-z][a-z0-9+.-]*:/i.test(file) || file.startsWith('//')) return null;
  const joined = file.startsWith('/') ? file.slice(1) : path.posix.join(path.posix.dirname(cssPath), file);
  return path.posix.normalize(joined);
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
      const target = targetOf(address, cssPath);
      const renamed = target === null ? null : rename(target);
      if (renamed === null) return whole;
      const suffix = /[?#].*$/s.exec(address)?.[0] ?? '';
      return url === undefined ? `${keyword}"${renamed}${suffix}"` : `url("${renamed}${suffix}")`;
    },
  );
}
