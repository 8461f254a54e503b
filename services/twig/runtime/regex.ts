import { LRUCache } from 'lru-cache';

const compiled = new LRUCache<string, RegExp>({ max: 500 });
const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const posixClasses: Record<string, string> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9a-fA-F',
  word: '\\w',
};

/**
 * Converts a PCRE with delimiters and flags to a JavaScript regular expression. Throws a `TypeError` when it is
 * invalid. The time limit of the sandbox process ends matches that take too long.
 */
export function compileRegex(source: string): RegExp {
  const known = compiled.get(source);
  if (known) return known;
  const regex = buildRegex(source.trimStart());
  compiled.set(source, regex);
  return regex;
}

function buildRegex(source: string): RegExp {
  const invalid = (why: string) =>
    new TypeError(`Regexp "${source.slice(0, 100)}" passed to "matches" is not valid: ${why}.`);
  const open = source[0] ?? '';
  if (open === '' || /[a-zA-Z0-9\\\s]/.test(open)) throw invalid('the delimiter must not be alphanumeric or backslash');
  const close = closers[open] ?? open;
  const end = source.lastIndexOf(close);
  if (end <= 0) throw invalid(`no ending delimiter "${close}" found`);
  const flags = source.slice(end + 1);
  const pattern = source.slice(1, end);
  const unknown = /[^imsxuDUAXJS\s]/.exec(flags);
  if (unknown) throw invalid(`unknown modifier "${unknown[0]}"`);
  try {
    return new RegExp(
      translate(pattern, flags),
      [...'ims'].filter((flag) => flags.includes(flag)).join('') + (needsUnicode(pattern, flags) ? 'u' : ''),
    );
  } catch (error) {
    throw invalid(
      error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : 'it does not parse',
    );
  }
}

const needsUnicode = (pattern: string, flags: string) => flags.includes('u') || /\\p\{|\\P\{/.test(pattern);

function translate(pattern: string, flags: string): string {
  let text = flags.includes('x') ? dropComments(pattern) : pattern;
  text = text
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replace(/\(\?>/g, '(?:')
    .replace(/\(\?#[^)]*\)/g, '')
    .replace(/([*+?}])\+/g, '$1')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posixClasses[name] ?? whole);
  text = text.replace(/\\([\s\S])/g, (whole, letter: string) => {
    if (letter === 'A') return '^';
    if (letter === 'z' || letter === 'Z') return '$';
    if (letter === 'h') return '[ \\t\\u00a0]';
    if (letter === 'R') return '(?:\\r\\n|\\n|\\r)';
    return needsUnicode(pattern, flags) && /[^\w\s^$\\.*+?()[\]{}|/-]/.test(letter) ? letter : whole;
  });
  // Without the D flag, PHP's `$` also matches before a final line end.
  if (!flags.includes('D') && !flags.includes('m')) text = text.replace(/(^|[^\\])\$$/, '$1\\n?$');
  return flags.includes('A') ? `^(?:${text})` : text;
}

function dropComments(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]])*\]|#.*|\s+/g, (piece) => (/^[#\s]/.test(piece) ? '' : piece));
}
