import { invalid } from './errors.ts';

const maxDepth = 64;
/** Where dirt is cleaned with a warning instead of refused: in an item's own body (contract: Inside `body_html`), nowhere deeper. */
const cleanedPath = 'body_html';

const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const lenientDecoder = new TextDecoder('utf-8');

/**
 * Bytes that are not UTF-8 become lone surrogates, so that one rule holds for both kinds of broken text: refused
 * everywhere but in `body_html`, where the sanitizer cleans them and says so.
 */
export function decodeText(bytes: Buffer): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return lenientDecoder.decode(bytes).replaceAll('\uFFFD', '\uD800');
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw invalid([{ path, message: 'must not contain NUL' }]);
  if (!text.isWellFormed())
    throw invalid([{ path, message: 'must be valid Unicode text (no lone surrogates, no invalid UTF-8)' }]);
}

/**
 * Throws `validation_failed` for what parsed JSON may hold and no database stores as it was sent: NUL, text that is no Unicode,
 * numbers out of range, depths without end, `__proto__`. The value of an item's `body_html` is left to the sanitizer, that of the
 * member `apart` to whoever judges what is in it one by one.
 */
export function requireStorable(value: unknown, apart?: string): void {
  if (apart === undefined || typeof value !== 'object' || value === null) checkValue(value, '', 0);
  else checkValue(Object.fromEntries(Object.entries(value).filter(([name]) => name !== apart)), '', 0);
}

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    checkText(value, path);
    return;
  }
  // 1e400 is read as Infinity, which JSON cannot say: it would be stored as null
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    throw invalid([{ path, message: 'is a number out of range' }]);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth)
    throw invalid([{ path: path.slice(0, 200), message: `is nested deeper than ${maxDepth} levels` }]);
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) checkValue(member, `${path}.${index}`, depth + 1);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path ? `${path}.${name}` : name;
    checkText(name, path);
    if (name === '__proto__') throw invalid([{ path: memberPath, message: 'is not a member that can be set' }]);
    if (typeof member === 'string' && memberPath === cleanedPath) continue;
    checkValue(member, memberPath, depth + 1);
  }
}
