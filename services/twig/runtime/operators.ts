import { TwigError } from '../errors.ts';
import { castNumber } from './arithmetic.ts';
import { type Collection, keysOf, readKey, typeName } from './collections.ts';
import { isNumeric } from './compare.ts';
import { compileRegex } from './regex.ts';
import { boundText, type RenderState, takeSteps } from './state.ts';
import { SafeHtml, TwigArrow, type TwigValue, toText, truthy } from './values.ts';

/** Implements `a ~ b`. */
export function concat(state: RenderState, a: TwigValue, b: TwigValue): string {
  return boundText(toText(a) + toText(b), state);
}

/** Implements `a starts with b`: false unless both are strings. */
export function startsWith(a: TwigValue, b: TwigValue): boolean {
  const [text, start] = [textOrNull(a), textOrNull(b)];
  return text !== null && start !== null && text.startsWith(start);
}

/** Implements `a ends with b`. */
export function endsWith(a: TwigValue, b: TwigValue): boolean {
  const [text, end] = [textOrNull(a), textOrNull(b)];
  return text !== null && end !== null && text.endsWith(end);
}

const textOrNull = (value: TwigValue) =>
  typeof value === 'string' ? value : value instanceof SafeHtml ? value.html : null;

/** Implements `text matches '/regex/'`: returns 1 or 0, as in PHP. */
export function matches(state: RenderState, text: TwigValue, regex: TwigValue): number {
  takeSteps(state, 1);
  return compileRegex(toText(regex)).test(toText(text)) ? 1 : 0;
}

/** Implements `a ?: b`. */
export function elvis(value: TwigValue, otherwise: () => TwigValue): TwigValue {
  return truthy(value) ? value : otherwise();
}

/** Wraps an arrow function, so that other code does not treat it as a JavaScript function. */
export function arrow(call: (...values: unknown[]) => unknown): TwigArrow {
  return new TwigArrow(call);
}

/** Returns the function of an arrow; otherwise throws an error that names `who`. */
export function expectArrow(value: TwigValue, who: string): (...values: unknown[]) => unknown {
  if (value instanceof TwigArrow) return value.call;
  throw new TypeError(`The ${who} needs an arrow function, got ${typeName(value)}.`);
}

function collectionOrEmpty(value: TwigValue): Collection {
  return typeof value === 'object' && value !== null ? (value as Collection) : [];
}

/** Implements `list has some (x => …)`. */
export function hasSome(state: RenderState, list: TwigValue, test: TwigValue): boolean {
  const call = expectArrow(test, '"has some" operator');
  const keys = keysOf(collectionOrEmpty(list));
  takeSteps(state, keys.length);
  return keys.some((name) => truthy(call(readKey(list, name), name)));
}

/** Implements `list has every (x => …)`. */
export function hasEvery(state: RenderState, list: TwigValue, test: TwigValue): boolean {
  const call = expectArrow(test, '"has every" operator');
  const keys = keysOf(collectionOrEmpty(list));
  takeSteps(state, keys.length);
  return keys.every((name) => truthy(call(readKey(list, name), name)));
}

/** Implements `a..b` and `range(a, b, step)`: numbers or letters, limited by the remaining steps of the render. */
export function range(state: RenderState, low: TwigValue, high: TwigValue, step: TwigValue = 1): TwigValue[] {
  const [first, last] = [rangeEnd(low), rangeEnd(high)];
  const width = Math.abs(castNumber(step)) || 1;
  if (typeof first === 'string' && typeof last === 'string') {
    const codes = buildRange(state, first.charCodeAt(0), last.charCodeAt(0), Math.trunc(width) || 1);
    return codes.map((code) => String.fromCharCode(code));
  }
  const [from, to] = [typeof first === 'number' ? first : 0, typeof last === 'number' ? last : 0];
  if (width > Math.abs(to - from) && from !== to) {
    if (step !== 1) throw new TypeError('The step of a range must not exceed the range.');
    return [from];
  }
  return buildRange(state, from, to, width);
}

function rangeEnd(value: TwigValue): number | string {
  const text = value instanceof SafeHtml ? value.html : value;
  if (typeof text === 'string' && text !== '' && !isNumeric(text)) return text;
  return castNumber(text);
}

function buildRange(state: RenderState, from: number, to: number, step: number): number[] {
  const count = Math.floor(Math.abs(to - from) / step + 1e-9) + 1;
  if (!Number.isFinite(count)) throw new TwigError('limit', 'The range is infinite: the list would be too long.');
  takeSteps(state, count);
  const direction = to < from ? -step : step;
  return Array.from({ length: count }, (_item, index) => from + index * direction);
}
