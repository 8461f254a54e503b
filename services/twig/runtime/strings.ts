import { castInteger } from './arithmetic.ts';
import { fromEntries, isCollection, type Key, keysOf, readKey, renumber, valuesOf } from './collections.ts';
import { boundText, type RenderState, takeSteps } from './state.ts';
import { type TwigValue, toText } from './values.ts';

const surrogate = /[\ud800-\udfff]/;

/** Returns the characters of a text; a code point outside the BMP is one character. */
export function charactersOf(text: string): string[] {
  return surrogate.test(text) ? [...text] : text.split('');
}

/** Returns the number of characters of a text. */
export function lengthOf(text: string): number {
  return surrogate.test(text) ? [...text].length : text.length;
}

/** Implements PHP's `trim` functions: removes characters of a set, which may contain ranges such as `a..z`. */
export function trim(value: TwigValue, mask: TwigValue, side: TwigValue): string {
  const text = toText(value);
  const set = expandMask(mask === null || mask === undefined ? ' \t\n\r\0\v' : toText(mask));
  const where = side === null || side === undefined ? 'both' : toText(side);
  if (!['both', 'left', 'right'].includes(where))
    throw new TypeError('Trimming side must be "left", "right" or "both".');
  let start = 0;
  let end = text.length;
  if (where !== 'right') while (start < end && set.has(text[start]!)) start++;
  if (where !== 'left') while (end > start && set.has(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function expandMask(mask: string): Set<string> {
  const set = new Set(mask);
  for (const [, from, to] of mask.matchAll(/([\s\S])\.\.([\s\S])/g)) {
    for (let code = from!.charCodeAt(0); code <= to!.charCodeAt(0); code++) set.add(String.fromCharCode(code));
  }
  return set;
}

/** Implements PHP's title case: capitalizes the first letter of each word; apostrophes are part of words. */
export function titleCase(text: string): string {
  let inWord = false;
  return text.replace(/[\s\S]/gu, (character) => {
    if (/\p{Case_Ignorable}/u.test(character)) return character;
    const isCased = /\p{Cased}/u.test(character);
    const result = inWord ? character.toLowerCase() : isCased ? titleCharacter(character) : character;
    inWord = isCased;
    return result;
  });
}

function titleCharacter(character: string): string {
  const upper = character.toUpperCase();
  return upper.length > 1 && !surrogate.test(upper) ? upper[0]! + upper.slice(1).toLowerCase() : upper;
}

/** Capitalizes the first letter and lowercases all others. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/**
 * Implements PHP's `strtr`: replaces the longest keys first, in one pass, so that inserted text is not replaced again.
 */
export function replacePairs(state: RenderState, text: string, pairs: TwigValue): string {
  if (!isCollection(pairs)) throw new TypeError('The "replace" filter expects a hash of texts and their replacements.');
  const table = new Map(keysOf(pairs).map((key) => [String(key), toText(readKey(pairs, key))]));
  table.delete('');
  if (table.size === 0) return text;
  const keys = [...table.keys()].sort((a, b) => b.length - a.length);
  takeSteps(state, keys.length);
  const pattern = new RegExp(keys.map((key) => key.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  let made = 0;
  return text.replace(pattern, (found) => {
    const replacement = table.get(found)!;
    made += replacement.length;
    if (made > state.maxLength) boundText(' '.repeat(state.maxLength + 1), state);
    return replacement;
  });
}

/** Implements PHP's `explode`; an empty delimiter splits into pieces of a given size. */
export function split(state: RenderState, text: string, delimiter: string, limit: TwigValue): TwigValue[] {
  const bound = limit === null || limit === undefined ? null : castInteger(limit);
  takeSteps(state, Math.ceil(text.length / 16) + 1);
  if (delimiter !== '') return explode(text, delimiter, bound);
  const characters = charactersOf(text);
  if (bound === null || bound <= 1) return text === '' ? [''] : characters;
  if (characters.length < bound) return [text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += bound)
    pieces.push(characters.slice(start, start + bound).join(''));
  return pieces;
}

function explode(text: string, delimiter: string, limit: number | null): string[] {
  const pieces = text.split(delimiter);
  if (limit === null) return pieces;
  if (limit < 0) return pieces.slice(0, limit);
  const count = Math.max(limit, 1);
  return pieces.length <= count ? pieces : [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(delimiter)];
}

/** Joins values; the last two with a different glue if given. */
export function join(state: RenderState, value: TwigValue, glue: TwigValue, and: TwigValue): string {
  const values = isCollection(value) ? valuesOf(value) : [value];
  takeSteps(state, values.length);
  const between = toText(glue);
  const last = and === null || and === undefined ? null : toText(and);
  if (values.length * between.length > state.maxLength) boundText(' '.repeat(state.maxLength + 1), state);
  const texts = values.map(toText);
  if (last === null || last === between || texts.length < 2) return boundText(texts.join(between), state);
  return boundText(texts.slice(0, -1).join(between) + last + texts.at(-1), state);
}

/**
 * Returns part of a text or a collection; names are kept, and numeric keys are numbered again unless `preserveKeys`.
 */
export function slice(value: TwigValue, start: TwigValue, length: TwigValue, preserveKeys: TwigValue): TwigValue {
  const from = castInteger(start);
  const count = length === null || length === undefined ? null : castInteger(length);
  if (!isCollection(value)) return cut(charactersOf(toText(value)), from, count).join('');
  if (Array.isArray(value) && !preserveKeys) return cut(value, from, count);
  const keys: Key[] = cut(keysOf(value), from, count);
  return fromEntries(preserveKeys ? keys : renumber(keys), cut(valuesOf(value), from, count));
}

function cut<T>(items: T[], start: number, length: number | null): T[] {
  const from = start < 0 ? Math.max(items.length + start, 0) : start;
  if (length === null) return items.slice(from);
  return items.slice(from, length < 0 ? items.length + length : from + length);
}

/** Implements PHP's `strip_tags`: removes tags, comments and processing instructions, except allowed tags. */
export function stripTags(text: string, allowed: TwigValue): string {
  const names = allowedTags(allowed);
  let kept = '';
  let position = 0;
  for (;;) {
    const start = text.indexOf('<', position);
    if (start < 0) return kept + text.slice(position);
    kept += text.slice(position, start);
    const next = text[start + 1] ?? ' ';
    if (!/[/!?a-zA-Z]/.test(next)) {
      kept += '<';
      position = start + 1;
      continue;
    }
    const end = findTagEnd(text, start);
    const tag = text.slice(start, end);
    const name = /^<\/?([a-zA-Z][a-zA-Z0-9:-]*)/.exec(tag)?.[1]?.toLowerCase();
    if (name !== undefined && names.has(name) && tag.endsWith('>')) kept += tag;
    position = end;
  }
}

/** Returns the end of the construct that starts with `<`; an unclosed one extends to the end of the text, as in PHP. */
function findTagEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return endOf(text, '-->', start + 4);
  if (text[start + 1] === '?') return endOf(text, '?>', start + 2);
  let quote = '';
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index]!;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return index + 1;
  }
  return text.length;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
}

function allowedTags(allowed: TwigValue): Set<string> {
  if (isCollection(allowed)) return new Set(valuesOf(allowed).map((name) => toText(name).toLowerCase()));
  return new Set(
    [...toText(allowed).matchAll(/<\/?([a-zA-Z][a-zA-Z0-9:-]*)/g)].map((match) => match[1]!.toLowerCase()),
  );
}
