import { castInteger, castNumber } from './arithmetic.ts';
import { numberToText, type TwigValue, toText } from './values.ts';

const directive = /%(?:(\d+)\$)?((?:[-+ 0]|'[\s\S])*)(\d+)?(?:\.(\d+))?([bcdeEfFgGosuxX%])/g;

/** Implements PHP's `sprintf`. Throws when the format needs more values than given; widths are capped. */
export function sprintf(format: string, values: TwigValue[]): string {
  let next = 0;
  return format.replace(directive, (_whole, position, flags: string, width, precision, kind: string) => {
    if (kind === '%') return '%';
    const index = position === undefined ? next++ : Number(position) - 1;
    if (index >= values.length) throw new TypeError(`The format needs ${index + 1} values, ${values.length} given.`);
    const text = formatOne(values[index], kind, flags, precision === undefined ? undefined : Number(precision));
    return pad(text, flags, width === undefined ? 0 : Math.min(Number(width), 10_000), kind);
  });
}

function formatOne(value: TwigValue, kind: string, flags: string, precision: number | undefined): string {
  const integer = () => castInteger(value);
  const signed = (number: number, text: string) => (flags.includes('+') && number >= 0 ? `+${text}` : text);
  const unsigned = (base: number) => BigInt.asUintN(64, BigInt(integer())).toString(base);
  switch (kind) {
    case 's':
      return precision === undefined ? toText(value) : toText(value).slice(0, precision);
    case 'd':
      return signed(integer(), numberToText(integer()));
    case 'u':
      return unsigned(10);
    case 'b':
      return unsigned(2);
    case 'o':
      return unsigned(8);
    case 'x':
      return unsigned(16);
    case 'X':
      return unsigned(16).toUpperCase();
    case 'c':
      return String.fromCharCode(integer() & 0xff);
    case 'f':
    case 'F':
      return signed(castNumber(value), toFixedEven(castNumber(value), precision ?? 6));
    default:
      return signed(castNumber(value), toExponent(castNumber(value), kind, precision ?? 6));
  }
}

function toExponent(number: number, kind: string, precision: number): string {
  const shape = (text: string) => text.replace(/e([+-])(\d+)$/, (_whole, sign, digits) => `e${sign}${digits}`);
  let text = number.toExponential(Math.min(precision, 100));
  if (kind === 'g' || kind === 'G') {
    const exponent = number === 0 ? 0 : Math.floor(Math.log10(Math.abs(number)));
    const digits = Math.max(precision, 1);
    const isPlain = exponent >= -4 && exponent < digits;
    text = isPlain
      ? String(Number(number.toPrecision(Math.min(digits, 100))))
      : String(Number(number.toPrecision(digits)).toExponential());
  }
  return kind === 'E' || kind === 'G' ? shape(text).toUpperCase() : shape(text);
}

function pad(text: string, flags: string, width: number, kind: string): string {
  const length = [...text].length;
  if (length >= width) return text;
  const custom = /'([\s\S])/.exec(flags)?.[1];
  const plainFlags = flags.replace(/'[\s\S]/g, '');
  const filler = custom ?? (plainFlags.includes('0') ? '0' : ' ');
  const fill = filler.repeat(width - length);
  if (plainFlags.includes('-')) return filler === '0' && kind !== 's' ? text : text + fill;
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  if (filler === '0' && sign !== '' && kind !== 's') return sign + fill + text.slice(1);
  return fill + text;
}

/** Formats a number with this many decimals; exact halves are rounded to even, as in C. */
function toFixedEven(number: number, decimals: number): string {
  if (!Number.isFinite(number)) return numberToText(number).toLowerCase();
  const places = Math.min(decimals, 60);
  const text = number.toFixed(places);
  const exact = number.toFixed(Math.min(places + 40, 100));
  const rest = places === 0 ? exact.split('.')[1]! : exact.slice(text.length);
  const kept = exact.slice(0, exact.length - rest.length - (places === 0 ? 1 : 0));
  return /^50*$/.test(rest) && /[02468]$/.test(kept) ? kept : text;
}

/** Formats a number with this many decimals; halves are rounded away from zero, as in PHP. */
export function toFixed(number: number, decimals: number): string {
  if (!Number.isFinite(number)) return numberToText(number).toLowerCase();
  const places = Math.min(Math.max(decimals, 0), 100);
  return roundHalfUp(number, Math.min(places, 15)).toFixed(places);
}

/**
 * Implements PHP's `round`: rounds halves of the decimal digits away from zero; a negative precision rounds tens and
 * hundreds.
 */
export function roundHalfUp(number: number, precision: number): number {
  if (!Number.isFinite(number) || number === 0) return number;
  const shifted = Number(shift(Math.abs(number), precision));
  if (!Number.isFinite(shifted)) return number;
  const rounded = Number(shift(Math.round(shifted), -precision));
  return number < 0 ? 0 - rounded : rounded;
}

function shift(number: number, places: number): string {
  const [mantissa = '0', exponent = '0'] = String(number).split('e');
  return `${mantissa}e${Number(exponent) + places}`;
}
