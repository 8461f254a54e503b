import { castInteger } from './arithmetic.ts';
import { isCollection, isList, keysOf, readKey, valuesOf } from './collections.ts';
import { formatDate } from './date-format.ts';
import { boundText, type RenderState, takeSteps } from './state.ts';
import { isDate, SafeHtml, TwigDate, type TwigValue, toText } from './values.ts';

/** PHP's flags for `json_encode`, available as `constant('JSON_…')`. */
export const jsonFlags = {
  JSON_HEX_TAG: 1,
  JSON_HEX_AMP: 2,
  JSON_HEX_APOS: 4,
  JSON_HEX_QUOT: 8,
  JSON_FORCE_OBJECT: 16,
  JSON_NUMERIC_CHECK: 32,
  JSON_UNESCAPED_SLASHES: 64,
  JSON_PRETTY_PRINT: 128,
  JSON_UNESCAPED_UNICODE: 256,
  JSON_PARTIAL_OUTPUT_ON_ERROR: 512,
  JSON_PRESERVE_ZERO_FRACTION: 1024,
  JSON_UNESCAPED_LINE_TERMINATORS: 2048,
  JSON_INVALID_UTF8_IGNORE: 1048576,
  JSON_INVALID_UTF8_SUBSTITUTE: 2097152,
  JSON_THROW_ON_ERROR: 4194304,
} as const;

const maxDepth = 512;

/** Implements PHP's `json_encode`: escapes slashes and non-ASCII characters by default. */
export function jsonEncode(state: RenderState, value: TwigValue, options: TwigValue): string {
  const flags = castInteger(options);
  return boundText(encode(state, value, flags, 0), state);
}

function encode(state: RenderState, value: TwigValue, flags: number, depth: number): string {
  takeSteps(state, 1);
  if (depth > maxDepth) throw new TypeError('The value nests too deeply for JSON.');
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'string') return encodeText(value, flags);
  if (value instanceof SafeHtml) return encodeText(value.html, flags);
  if (isDate(value)) return encode(state, describeDate(value), flags, depth + 1);
  if (!isCollection(value)) return '{}';
  if (isList(value) && !(flags & jsonFlags.JSON_FORCE_OBJECT)) {
    return wrap(
      '[',
      ']',
      valuesOf(value).map((item) => encode(state, item, flags, depth + 1)),
      flags,
      depth,
    );
  }
  const colon = flags & jsonFlags.JSON_PRETTY_PRINT ? ': ' : ':';
  const members = keysOf(value).map((key) => {
    return `${encodeText(String(key), flags & ~jsonFlags.JSON_NUMERIC_CHECK)}${colon}${encode(state, readKey(value, key), flags, depth + 1)}`;
  });
  return wrap('{', '}', members, flags, depth);
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('Inf and NaN cannot be JSON encoded.');
  const text = String(value);
  return text.includes('e') ? text.replace(/^(-?\d+)e/, '$1.0e') : text;
}

function wrap(open: string, close: string, parts: string[], flags: number, depth: number): string {
  if (parts.length === 0 || !(flags & jsonFlags.JSON_PRETTY_PRINT)) return open + parts.join(',') + close;
  const indent = '    '.repeat(depth + 1);
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}\n${'    '.repeat(depth)}${close}`;
}

const shortEscapes: Record<string, string> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};
const flagged: Record<string, number> = {
  '<': jsonFlags.JSON_HEX_TAG,
  '>': jsonFlags.JSON_HEX_TAG,
  '&': jsonFlags.JSON_HEX_AMP,
  "'": jsonFlags.JSON_HEX_APOS,
  '"': jsonFlags.JSON_HEX_QUOT,
};

function encodeText(text: string, flags: number): string {
  if (flags & jsonFlags.JSON_NUMERIC_CHECK && /^-?\d+(\.\d+)?$/.test(text)) return encodeNumber(Number(text));
  const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const body = text.toWellFormed().replace(/[\0-\x1f"'&<>\\/\x7f-\uffff]/g, (character) => {
    if (flagged[character] && flags & flagged[character])
      return unit(character).replace(/[a-f]+$/, (digits) => digits.toUpperCase());
    if (shortEscapes[character]) return shortEscapes[character];
    if (character === '/') return flags & jsonFlags.JSON_UNESCAPED_SLASHES ? '/' : '\\/';
    if (character < ' ') return unit(character);
    if (character < '\x80') return character;
    if (!(flags & jsonFlags.JSON_UNESCAPED_UNICODE)) return unit(character);
    const isLineEnd = character === '\u2028' || character === '\u2029';
    return isLineEnd && !(flags & jsonFlags.JSON_UNESCAPED_LINE_TERMINATORS) ? unit(character) : character;
  });
  return `"${body}"`;
}

function describeDate(value: Date | TwigDate): Record<string, TwigValue> {
  const moment = value instanceof TwigDate ? value : new TwigDate(value.getTime());
  return { date: formatDate(moment, 'Y-m-d H:i:s.u'), timezone_type: 3, timezone: toText(moment.zone) };
}
