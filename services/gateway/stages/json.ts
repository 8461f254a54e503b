import { invalid, problem } from '../../core/errors.ts';

const maxDepth = 64;
/** Where dirt is cleaned with a warning instead of refused: in an item's own body (contract: Inside `body_html`), nowhere deeper. */
const cleanedPath = /^(?:items\.\d+\.)?body_html$/;

const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const lenientDecoder = new TextDecoder('utf-8');

/**
 * Bytes that are not UTF-8 become lone surrogates, so that one rule holds for both kinds of broken text: refused
 * everywhere but in `body_html`, where the sanitizer cleans them and says so.
 */
function decode(bytes: Buffer): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return lenientDecoder.decode(bytes).replaceAll('\uFFFD', '\uD800');
  }
}

/** A JSON object from raw bytes, without members or text that could do harm. Throws `malformed_json` or `validation_failed`. */
export function parseJson(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decode(bytes));
  } catch {
    throw problem('malformed_json', 'The body is not valid JSON.', {
      details: [{ path: '', message: 'is not valid JSON' }],
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: '', message: 'The body must be a JSON object' }]);
  }
  checkValue(value, '', 0);
  return value as Record<string, unknown>;
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw invalid([{ path, message: 'must not contain NUL' }]);
  if (!text.isWellFormed())
    throw invalid([{ path, message: 'must be valid Unicode text (no lone surrogates, no invalid UTF-8)' }]);
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
    if (typeof member === 'string' && cleanedPath.test(memberPath)) continue;
    checkValue(member, memberPath, depth + 1);
  }
}
