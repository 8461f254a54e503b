/** Markup that needs no escaping. Only host code and the engine create it. */
export class SafeHtml {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  toString(): string {
    return this.html;
  }
}

/** Marks a string as HTML that is printed unescaped. */
export function markSafe(html: string): SafeHtml {
  return new SafeHtml(html);
}

/** A point in time with the time zone in which it is shown. */
export class TwigDate {
  readonly epochMs: number;
  readonly zone: string;

  constructor(epochMs: number, zone = 'UTC') {
    this.epochMs = epochMs;
    this.zone = zone;
  }
}

/** A value that only the engine's own filters and functions understand: it is neither printed nor passed to a host. */
export abstract class EngineValue {}

/** An arrow function of a template; only filters and operators call it. */
export class TwigArrow extends EngineValue {
  readonly call: (...values: unknown[]) => unknown;

  constructor(call: (...values: unknown[]) => unknown) {
    super();
    this.call = call;
  }
}

/**
 * The values of a template in JavaScript: null (undefined counts as null), booleans, numbers, strings, `SafeHtml`,
 * dates (`Date` or `TwigDate`), lists (arrays) and hashes (`Map` when made by a template, plain objects when made by
 * the host). Host functions receive hashes as plain objects without prototype.
 */
export type TwigValue = unknown;

/** Formats a number as PHP does: integers in full, other numbers with 14 significant digits. */
export function numberToText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (Number.isNaN(value)) return 'NAN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const [mantissa = '', exponentText = '0'] = value.toExponential(13).split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  if (exponent < -4 || exponent >= 15) {
    const fraction = digits.includes('.') ? digits : `${digits}.0`;
    return `${fraction}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
  }
  const decimals = Math.max(0, 13 - exponent);
  const text = Number(value.toPrecision(14)).toFixed(Math.min(decimals, 100));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Converts a value to its printed text: `true` is `1`, `false` and null are empty, a list is the word Array. */
export function toText(value: TwigValue): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberToText(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  if (value instanceof SafeHtml) return value.html;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value) || value instanceof Map || isPlainObject(value)) return 'Array';
  if (isDate(value)) throw new TypeError('A date cannot be printed directly: use the "date" filter.');
  throw new TypeError('This value cannot be printed.');
}

/** Returns the truth value: empty strings, '0', zero, null and empty lists are false. */
export function truthy(value: TwigValue): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return false;
  if (typeof value === 'string') return value !== '' && value !== '0';
  if (typeof value === 'number') return value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (value instanceof SafeHtml) return value.html !== '' && value.html !== '0';
  if (isPlainObject(value)) return Object.keys(value).length > 0;
  return true;
}

/** Implements the test `empty`: true for '', false, null and empty lists, but not for 0 or '0'. */
export function isEmpty(value: TwigValue): boolean {
  if (value === '' || value === false || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  if (value instanceof SafeHtml) return value.html === '';
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Returns whether a value is an object without a class: only such objects are open to templates. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

/** Returns whether a value is a date. */
export function isDate(value: unknown): value is Date | TwigDate {
  return value instanceof TwigDate || value instanceof Date;
}
