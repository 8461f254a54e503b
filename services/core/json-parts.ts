import type { ByteHold } from './byte-budget.ts';
import { LargeText } from './large-list.ts';

/** Text that is longer is written in slices of this length. */
const sliceChars = 64 * 1024;

/** The JSON of a text without its quotes: piece by piece it is the same as of the whole. */
const escapeText = (text: string) => JSON.stringify(text).slice(1, -1);

/** The JSON of a large text without its quotes, in parts; each piece is read once there is memory for it. */
export async function* textParts(text: LargeText, memory: Pick<ByteHold, 'hold'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // keeps a character that two pieces share
  const { pieces } = await text.open();
  for (const piece of pieces) {
    await memory.hold(piece.bytes);
    const bytes = await piece.read();
    yield text.encoding === 'base64' ? bytes.toString('base64') : escapeText(decoder.decode(bytes, { stream: true }));
  }
  yield escapeText(decoder.decode());
}

/** The JSON of a long string; a character of two units stays whole. */
function* stringParts(text: string): Generator<string> {
  yield '"';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + sliceChars);
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end++;
    yield escapeText(text.slice(start, end));
  }
  yield '"';
}

/** How much of `left` characters a value leaves, roughly; below zero it is longer. A `LargeText` leaves nothing. */
function weigh(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - 8;
  if (value instanceof LargeText) return -1;
  let rest = left - 8;
  for (const name in value) {
    if (rest < 0) return rest;
    rest = weigh((value as Record<string, unknown>)[name], rest - name.length);
  }
  return rest;
}

/** Whether the JSON of a value has more than about `chars` characters, or a `LargeText`. */
export const isLongerThan = (value: unknown, chars: number): boolean => weigh(value, chars) < 0;

/** Every `LargeText` of a value, at any depth. */
export function largeTextsOf(value: unknown): LargeText[] {
  if (typeof value !== 'object' || value === null) return [];
  return value instanceof LargeText ? [value] : Object.values(value).flatMap(largeTextsOf);
}

/** The JSON of a value, as `JSON.stringify` makes it, in parts; a `LargeText` stands between the quotes of its own. */
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
