import { invalid } from './errors.ts';

const maxDepth = 64;
/**
 * The only members in which invalid text is cleaned with a warning instead of rejected: an item's own body, in either
 * form (contract: Inside `body_html`), nowhere deeper.
 */
const cleanedMembers: readonly string[] = ['body_html', 'body_markdown'];

const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const lenientDecoder = new TextDecoder('utf-8');

/** Returns a copy of the UTF-16 units of a text. */
const unitsOf = (text: string) => new Uint16Array(new Uint8Array(Buffer.from(text, 'utf16le')).buffer);
const [replacement, surrogate] = unitsOf('\uFFFD\uD800') as unknown as [number, number];

/**
 * Converts every replacement character to a lone surrogate. Works on units, because a text may have four million of
 * them.
 */
function toSurrogates(text: string): string {
  const units = unitsOf(text);
  for (let at = 0; at < units.length; at++) if (units[at] === replacement) units[at] = surrogate;
  return Buffer.from(units.buffer).toString('utf16le');
}

/**
 * Decodes bytes. Those that are not UTF-8 become lone surrogates, so that one rule applies to both kinds of invalid
 * text: rejected everywhere but in bodies of items, where the sanitizer cleans them and warns.
 */
export function decodeText(bytes: Buffer): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return toSurrogates(lenientDecoder.decode(bytes));
  }
}

/** The names and indexes that lead to a value. */
type Path = (string | number)[];

const refuse = (path: Path, message: string) => invalid([{ path: path.join('.'), message }]);

function checkText(text: string, path: Path): void {
  if (text.includes('\0')) throw refuse(path, 'must not contain NUL');
  if (!text.isWellFormed()) throw refuse(path, 'must be valid Unicode text (no lone surrogates, no invalid UTF-8)');
}

/**
 * Throws `validation_failed` for parsed JSON that no database can store unchanged: NUL, invalid Unicode, numbers out of
 * range, excessive depth, `__proto__`. The sanitizer checks the body of an item; the handler checks the
 * entries of the member `apart`.
 */
export function requireStorable(value: unknown, apart?: string): void {
  if (apart === undefined || typeof value !== 'object' || value === null) checkValue(value, []);
  else checkValue(Object.fromEntries(Object.entries(value).filter(([name]) => name !== apart)), []);
}

function checkValue(value: unknown, path: Path): void {
  if (typeof value === 'string') {
    checkText(value, path);
    return;
  }
  // 1e400 is parsed as Infinity, which JSON cannot represent: it would be stored as null
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    throw refuse(path, 'is a number out of range');
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= maxDepth)
    throw invalid([{ path: path.join('.').slice(0, 200), message: `is nested deeper than ${maxDepth} levels` }]);
  // one mutable path for the whole walk: a body may have 35,000 members with long names
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      checkValue(value[index], path);
      path.pop();
    }
    return;
  }
  const isRoot = path.length === 0;
  for (const name in value) {
    checkText(name, path);
    path.push(name);
    if (name === '__proto__') throw refuse(path, 'is not a member that can be set');
    const member = (value as Record<string, unknown>)[name];
    if (!(isRoot && cleanedMembers.includes(name) && typeof member === 'string')) checkValue(member, path);
    path.pop();
  }
}
