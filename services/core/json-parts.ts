import type { ByteHold } from './byte-budget.ts';
import { LargeText } from './large-list.ts';

/** Longer text is written in slices of this length. */
const sliceChars = 64 * 1024;

/** Returns the JSON of a text without its quotes; the pieces of a text give the same JSON as the whole. */
const escapeText = (text: string) => JSON.stringify(text).slice(1, -1);

/** Yields the JSON of a large text without its quotes, in parts; reads each piece only when memory is available. */
export async function* textParts(text: LargeText, memory: Pick<ByteHold, 'hold'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // buffers a character that is split between two pieces
  const { pieces } = await text.open();
  for (const piece of pieces) {
    await memory.hold(piece.bytes);
    const bytes = await piece.read();
    yield text.encoding === 'base64' ? bytes.toString('base64') : escapeText(decoder.decode(bytes, { stream: true }));
  }
  yield escapeText(decoder.decode());
}

/** Yields the JSON of a long string, without splitting surrogate pairs. */
function* stringParts(text: string): Generator<string> {
  yield '"';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + sliceChars);
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end++;
    yield escapeText(text.slice(start, end));
  }
  yield '"';
}

/**
 * Returns roughly how many of `left` characters remain after a value; negative if it is longer. A `LargeText` leaves
 * none.
 */
function charsLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - 8;
  if (value instanceof LargeText) return -1;
  let rest = left - 8;
  for (const name in value) {
    if (rest < 0) return rest;
    rest = charsLeft((value as Record<string, unknown>)[name], rest - name.length);
  }
  return rest;
}

/** Returns whether the JSON of a value has more than about `chars` characters, or contains a `LargeText`. */
export const isLongerThan = (value: unknown, chars: number): boolean => charsLeft(value, chars) < 0;

/** Returns every `LargeText` in a value, at any depth. */
export function largeTextsOf(value: unknown): LargeText[] {
  if (typeof value !== 'object' || value === null) return [];
  return value instanceof LargeText ? [value] : Object.values(value).flatMap(largeTextsOf);
}

/**
 * Yields the JSON of a value, as `JSON.stringify` renders it, in parts; a `LargeText` is yielded between its quotes.
 */
export function* jsonParts(value: unknown): Generator<string | LargeText> {
  if (!isLongerThan(value, sliceChars)) return yield JSON.stringify(value);
  if (typeof value === 'string') return yield* stringParts(value);
  if (value instanceof LargeText) {
    yield '"';
    yield value;
    return yield '"';
  }
  if (Array.isArray(value)) {
    let before = '[';
    for (const member of value) {
      yield before;
      before = ',';
      yield* jsonParts(member ?? null);
    }
    return yield `${before === '[' ? '[' : ''}]`;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value as object)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    yield* jsonParts(member);
  }
  yield `${before === '{' ? '{' : ''}}`;
}
