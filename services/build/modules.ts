import { type Import, init, parse } from 'es-module-lexer';
import { resolveShellUrl, urlSuffix } from './shell-urls.ts';

/** A URL in a script: its position without the quotes, and the shell file that it refers to. */
interface Reference {
  start: number;
  end: number;
  url: string;
  target: string;
}

/** Must resolve before the functions below are called. */
export const loadModuleLexer = init;

/** `new URL('./worker.js', import.meta.url)`: what precedes and follows `import.meta`. */
const urlBefore = /\bnew\s+URL\s*\(\s*(["'`])([^"'`\\$\n]+)\1\s*,\s*$/;
const urlAfter = /^\s*\.\s*url\b/;
const urlReach = 1_000;

/** Package names are resolved by an import map; only a specifier that starts like a path is a file. */
const isPath = (url: string) => /^\.{0,2}\//.test(url);

function parseImportMetaUrl(code: string, { start, end }: Import): { start: number; end: number; url: string } | null {
  const before = code.slice(Math.max(0, start - urlReach), start);
  const found = urlBefore.exec(before);
  if (!found || !urlAfter.test(code.slice(end, end + urlReach))) return null;
  const url = found[2]!;
  const from = start - before.length + found.index + found[0].indexOf(url);
  return { start: from, end: from + url.length, url };
}

function parseReference(code: string, found: Import): { start: number; end: number; url: string } | null {
  if (found.type === 'import-meta') return parseImportMetaUrl(code, found);
  const { start, end, specifier } = found;
  if (specifier === undefined || !isPath(specifier)) return null;
  if (found.type !== 'dynamic') return { start, end, url: specifier };
  // the argument with its quotes; a template literal with expressions does not name one file
  return found.glob || !/^["'`]/.test(code[start]!) ? null : { start: start + 1, end: end - 1, url: specifier };
}

function findReferences(code: string, path: string): Reference[] {
  let imports: readonly Import[];
  try {
    [imports] = parse(code);
  } catch {
    // a script that does not parse is served unchanged; the browser reports the error
    return [];
  }
  return imports.flatMap((found) => {
    const reference = parseReference(code, found);
    const target = reference && resolveShellUrl(reference.url, path);
    return reference && target !== null ? [{ ...reference, target }] : [];
  });
}

/** Returns the shell files that a script imports by path or names with `new URL(…, import.meta.url)`. */
export function moduleReferences(code: string, path: string): string[] {
  return [...new Set(findReferences(code, path).map(({ target }) => target))];
}

/**
 * Replaces those references with the result of `rename` for the target, a URL relative to the script; null keeps one
 * unchanged.
 */
export function rewriteModule(code: string, path: string, rename: (target: string) => string | null): string {
  let result = '';
  let done = 0;
  for (const { start, end, url, target } of findReferences(code, path)) {
    const renamed = rename(target);
    if (renamed === null) continue;
    const relative = (isPath(renamed) ? renamed : `./${renamed}`).replaceAll("'", '%27').replaceAll('`', '%60');
    result += code.slice(done, start) + relative + urlSuffix(url);
    done = end;
  }
  return result + code.slice(done);
}
