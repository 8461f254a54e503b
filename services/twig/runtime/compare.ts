import { countOf, isCollection, keysOf, readKey } from './collections.ts';
import { spendSteps } from './state.ts';
import { isDate, numberToText, SafeHtml, TwigDate, type TwigValue, truthy } from './values.ts';

const numeric = /^[ \t\n\r\v\f]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t\n\r\v\f]*$/;

/** Returns whether PHP considers a string numeric. */
export function isNumeric(text: string): boolean {
  return numeric.test(text);
}

const plain = (value: TwigValue): TwigValue => {
  if (value instanceof SafeHtml) return value.html;
  if (value === undefined) return null;
  if (value instanceof TwigDate) return value.epochMs;
  return value instanceof Date ? value.getTime() : value;
};

const order = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareNumberWithText(number: number, text: string): number {
  if (isNumeric(text)) return order(number, Number(text));
  return order(numberToText(number), text);
}

/** Implements PHP's `<=>`: -1, 0 or 1; lists that cannot be compared give 1. */
export function compare(left: TwigValue, right: TwigValue): number {
  const a = plain(left);
  const b = plain(right);
  if (typeof a === 'number' && typeof b === 'number') return Number.isNaN(a) || Number.isNaN(b) ? 1 : order(a, b);
  if (typeof a === 'string' && typeof b === 'string') {
    return isNumeric(a) && isNumeric(b) ? order(Number(a), Number(b)) : order(a, b);
  }
  if (typeof a === 'boolean' || typeof b === 'boolean') return order(Number(truthy(a)), Number(truthy(b)));
  if (a === null && typeof b === 'string') return order('', b);
  if (b === null && typeof a === 'string') return order(a, '');
  if (a === null || b === null) return order(Number(truthy(a)), Number(truthy(b)));
  if (typeof a === 'number' && typeof b === 'string') return compareNumberWithText(a, b);
  if (typeof a === 'string' && typeof b === 'number') return -compareNumberWithText(b, a);
  return compareObjects(a, b);
}

function compareObjects(a: TwigValue, b: TwigValue): number {
  if (isCollection(a) !== isCollection(b)) return isCollection(a) ? 1 : -1;
  if (!isCollection(a) || !isCollection(b)) return a === b ? 0 : 1;
  spendSteps(countOf(a) + 1);
  const sizes = order(countOf(a), countOf(b));
  if (sizes !== 0) return sizes;
  for (const name of keysOf(a)) {
    const other = readKey(b, name);
    if (other === undefined) return 1;
    const result = compare(readKey(a, name), other);
    if (result !== 0) return result;
  }
  return 0;
}

/** Implements PHP's `==`. */
export function isEqual(a: TwigValue, b: TwigValue): boolean {
  if (a === b) return !Number.isNaN(a);
  if (typeof a === 'string' && typeof b === 'string') return isNumeric(a) && isNumeric(b) && Number(a) === Number(b);
  return compare(a, b) === 0;
}

/**
 * Implements PHP's `===` and the test `same as`: compares type and value, lists and hashes member by member in order.
 */
export function isSame(a: TwigValue, b: TwigValue): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (left === right) return true;
  if (isDate(left) || isDate(right) || !isCollection(left) || !isCollection(right)) return false;
  spendSteps(countOf(left) + 1);
  const keys = keysOf(left);
  const others = keysOf(right);
  if (keys.length !== others.length) return false;
  return keys.every((name, index) => name === others[index] && isSame(readKey(left, name), readKey(right, name)));
}

/** Implements `a < b`. */
export function isLess(a: TwigValue, b: TwigValue): boolean {
  return !isUnordered(a, b) && compare(a, b) < 0;
}

/** Implements `a <= b`. */
export function isLessOrEqual(a: TwigValue, b: TwigValue): boolean {
  return !isUnordered(a, b) && compare(a, b) <= 0;
}

/** Implements `a > b`. */
export function isGreater(a: TwigValue, b: TwigValue): boolean {
  return isLess(b, a);
}

/** Implements `a >= b`. */
export function isGreaterOrEqual(a: TwigValue, b: TwigValue): boolean {
  return isLessOrEqual(b, a);
}

const isUnordered = (a: TwigValue, b: TwigValue): boolean => Number.isNaN(a) || Number.isNaN(b);

/** Implements `in`: finds a substring, or a member of a list or hash by loose comparison. */
export function isIn(needle: TwigValue, haystack: TwigValue): boolean {
  const value = needle instanceof SafeHtml ? needle.html : needle;
  const where = haystack instanceof SafeHtml ? haystack.html : haystack;
  if (typeof where === 'string') {
    if (typeof value === 'string') return where.includes(value);
    return typeof value === 'number' && where.includes(numberToText(value));
  }
  if (!isCollection(where)) return false;
  spendSteps(countOf(where));
  return keysOf(where).some((name) => isEqual(value, readKey(where, name)));
}
