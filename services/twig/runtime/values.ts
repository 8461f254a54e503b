/** Markup that needs no escaping. Only code of the host and the engine itself make it. */
export class SafeHtml {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  toString(): string {
    return this.html;
  }
}

/** Marks a string as HTML that is printed as it is. */
export function markSafe(html: string): SafeHtml {
  return new SafeHtml(html);
}

/** A moment with the time zone it is shown in. */
export class TwigDate {
  readonly epochMs: number;
  readonly zone: string;

  constructor(epochMs: number, zone = 'UTC') {
    this.epochMs = epochMs;
    this.zone = zone;
  }
}

/** A value that only the engine's own filters and functions understand: it is not printed and no host gets it. */
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
 * The values a template works on, and how they look in JavaScript: null (undefined counts as null), booleans,
 * numbers, strings, `SafeHtml`, dates (`Date` or `TwigDate`), lists (arrays) and hashes (`Map` when a template made
 * them, plain objects when the host did). Host functions get hashes as plain objects without prototype.
 */
export type TwigValue = unknown;

/** A number as PHP prints it: integers whole, other numbers with 14 significant digits. */
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

/** A value as it is printed: `true` is `1`, `false` and null are nothing, a list is the word Array. */
export function toText(value: TwigValue): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberToText(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  if (value instanceof SafeHtml) return value.html;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value) || value instanceof Map || isPlainObject(value)) return 'Array';
  if (isDate(value)) throw new TypeError('A date cannot be printed as it is: use the "date" filter.');
  throw new TypeError('This value cannot be printed.');
}

/** Whether a value counts as true: empty strings, '0', zero, null and empty lists do not. */
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

/** The `empty` test: '' false null and empty lists; neither 0 nor '0'. */
export function isEmpty(value: TwigValue): boolean {
  if (value === '' || value === false || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  if (value instanceof SafeHtml) return value.html === '';
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Whether a value is an object without a class of its own: only such objects are open to templates. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

/** Whether a value is a moment. */
export function isDate(value: unknown): value is Date | TwigDate {
  return value instanceof TwigDate || value instanceof Date;
}
