import { isCollection, keysOf, readKey, typeName } from './collections.ts';
import { isNumeric } from './compare.ts';
import { SafeHtml, type TwigValue } from './values.ts';

const leadingNumber = /^[ \t\n\r\v\f]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/;

/** Converts a value to a number; throws for a string that does not start with a number, as in PHP 8. */
export function toNumber(value: TwigValue): number {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = value instanceof SafeHtml ? value.html : value;
  if (typeof text === 'string') {
    if (isNumeric(text)) return Number(text);
    const leading = leadingNumber.exec(text);
    if (leading) return Number(leading[0]);
    throw new TypeError(`Unsupported operand: the string "${text.slice(0, 40)}" is not a number.`);
  }
  throw new TypeError(`Unsupported operand type: ${typeName(value)}.`);
}

/** Converts a value to a number without failing: other values are 0, as in PHP's casts. */
export function castNumber(value: TwigValue): number {
  if (typeof value === 'number') return value;
  const text = value instanceof SafeHtml ? value.html : value;
  if (typeof text === 'string') return Number(leadingNumber.exec(text)?.[0] ?? 0);
  if (isCollection(value)) return keysOf(value).length > 0 ? 1 : 0;
  return value ? 1 : 0;
}

/** Converts a value to a whole number, like PHP's `(int)`. */
export function castInteger(value: TwigValue): number {
  const number = castNumber(value);
  return Number.isFinite(number) ? Math.trunc(number) + 0 : 0;
}

/** Implements `+`: adds numbers, or merges two lists or hashes into their union. */
export function add(a: TwigValue, b: TwigValue): TwigValue {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (!isCollection(a) || !isCollection(b)) return toNumber(a) + toNumber(b);
  const union = new Map(keysOf(a).map((name) => [name, readKey(a, name)]));
  for (const name of keysOf(b)) if (!union.has(name)) union.set(name, readKey(b, name));
  return union;
}

export const subtract = (a: TwigValue, b: TwigValue): number => toNumber(a) - toNumber(b);
export const multiply = (a: TwigValue, b: TwigValue): number => toNumber(a) * toNumber(b);
export const power = (a: TwigValue, b: TwigValue): number => toNumber(a) ** toNumber(b);
export const negate = (a: TwigValue): number => 0 - toNumber(a);
export const plus = (a: TwigValue): number => toNumber(a);

/** Implements `/`; throws for division by zero. */
export function divide(a: TwigValue, b: TwigValue): number {
  const divisor = toNumber(b);
  if (divisor === 0) throw new TypeError('Division by zero.');
  return toNumber(a) / divisor;
}

/** Implements `//`: division rounded down to a whole number. */
export function floorDivide(a: TwigValue, b: TwigValue): number {
  return Math.floor(divide(a, b)) + 0;
}

/** Implements `%` on whole numbers; the result has the sign of the first. */
export function modulo(a: TwigValue, b: TwigValue): number {
  const divisor = Math.trunc(toNumber(b));
  if (divisor === 0) throw new TypeError('Modulo by zero.');
  return (Math.trunc(toNumber(a)) % divisor) + 0;
}

const bits = (value: TwigValue): bigint => BigInt.asIntN(64, BigInt(Math.trunc(toNumber(value)) || 0));

export const bitAnd = (a: TwigValue, b: TwigValue): number => Number(bits(a) & bits(b));
export const bitOr = (a: TwigValue, b: TwigValue): number => Number(bits(a) | bits(b));
export const bitXor = (a: TwigValue, b: TwigValue): number => Number(bits(a) ^ bits(b));
