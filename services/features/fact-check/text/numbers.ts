import { isCurrency, readUnit, type Unit } from './units.ts';
import { hedges, numberWords, scales, stopWords } from './vocabulary.ts';
import { stem } from './words.ts';

export interface NumberFigure {
  start: number;
  end: number;
  /** As written, with its sign and unit. */
  text: string;
  /**
   * Possible values in the base unit, likeliest first: `1.200` is 1.2 or 1200, which the locale decides only for its
   * own text.
   */
  values: number[];
  /** `percent`, a currency code, a measure, or '' for a plain count. */
  unit: string;
  /** The things counted: the stems of up to two following words. */
  nouns: string[];
  /** Whether it is a statement ("the population is 1,200") rather than a label ("chapter 12"). */
  isStated: boolean;
  /**
   * Maximum difference between the true value and the written one: half of the last place of a scale word, more after
   * "about".
   */
  tolerance: number;
  /** Written as a word ("twelve"), without scale. */
  isWord: boolean;
  /** `25th` */
  isOrdinal: boolean;
}

const maxDigits = 18;
const numberPattern =
  /(?<![\p{L}\p{M}\d_.,:/#-])(?<sign>[-−])?(?<before>US\$|[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR)\b)?\s?(?<digits>\d{1,3}(?:[.,'’ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,9})?(?![\d])|\d{1,18}(?:[.,]\d{1,9})?(?!\d))(?![.,:/]\d)(?<ordinal>st\b|nd\b|rd\b|th\b)?/gu;
const wordNumberPattern = /(?<![\p{L}\d-])(?:[a-z]{3,9}(?:-[a-z]{3,5})?)(?![\p{L}\d])/giu;
// numbers of several words ("two hundred and five") are skipped, because each part alone is a different number
const partBefore = /(?:hundred|thousand)(?:\sand)?\s$/i;
const partAfter = /^\S+\s(?:hundred|thousand)(?:\sand)?\s([a-z-]+)/i;
const unitPattern =
  /^[\s\u00a0\u202f-]?(percentage points?|per cent|pour cent|por ciento|km\/h|°C|[%$€£¥₹]|\p{L}[\p{L}\p{M}]*(?:-old)?)/iu;

const statedLead =
  /(?:(?<!\p{L})(?:is|was|are|were|of|to|at|has|have|had|reached|totall?ed|numbered|beträgt|betrug|est|était|es|era)|[=:])\s(?:(?:about|around|approximately|roughly|nearly|almost|over|only|now|just|etwa|rund|environ|casi)\s)?$/iu;

/**
 * Finds all numbers of a sentence, written in digits or, up to ninety-nine and before a scale, in English words. Does
 * not exclude dates.
 */
export function findNumbers(text: string, decimalComma: boolean): NumberFigure[] {
  const figures: NumberFigure[] = [];
  for (const match of text.matchAll(numberPattern)) {
    const { sign = '', before = '', digits = '', ordinal = '' } = match.groups ?? {};
    const values = readDigits(digits, decimalComma).map((value) => (sign ? -value : value));
    if (digits.length <= maxDigits * 2 && values.length > 0) {
      figures.push(describe(text, match.index, match.index + match[0].length, { values, digits, before, ordinal }));
    }
  }
  for (const match of text.matchAll(wordNumberPattern)) {
    const value = numberWords.get(match[0].toLowerCase());
    if (value === undefined || partBefore.test(text.slice(Math.max(0, match.index - 16), match.index))) continue;
    const end = match.index + match[0].length;
    const figure = describe(text, match.index, end, { values: [value], digits: '', before: '', ordinal: '' });
    const next = partAfter.exec(text.slice(match.index, figure.end + 24))?.[1]?.toLowerCase() ?? '';
    if (!numberWords.has(next)) figures.push(figure);
  }
  return figures.sort((left, right) => left.start - right.start);
}

/** Returns every number that digits with separators may mean, likeliest first. */
function readDigits(digits: string, decimalComma: boolean): number[] {
  const plain = digits.replace(/['’ \u00a0\u202f\u2009]/g, '');
  const separators = plain.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (!last) return [Number(plain)];
  const asDecimal = Number(
    plain.slice(0, plain.lastIndexOf(last)).replace(/[.,]/g, '') +
      plain.slice(plain.lastIndexOf(last)).replace(',', '.'),
  );
  const asGrouped = Number(plain.replace(/[.,]/g, ''));
  if (new Set(separators).size > 1) return [asDecimal];
  if (separators.length > 1) return [asGrouped];
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(plain)) return [asDecimal];
  const readsAsDecimal = (last === ',') === decimalComma;
  return readsAsDecimal ? [asDecimal, asGrouped] : [asGrouped, asDecimal];
}

interface Parts {
  values: number[];
  digits: string;
  before: string;
  ordinal: string;
}

function describe(text: string, start: number, numberEnd: number, parts: Parts): NumberFigure {
  const scale = readScale(text.slice(numberEnd, numberEnd + 24), parts.before !== '');
  const afterScale = numberEnd + scale.length;
  const { unit, length } = readUnitAfter(text.slice(afterScale, afterScale + 40), parts.before);
  const end = afterScale + length;
  const factor = scale.factor * unit[1];
  const hedged = isHedged(text.slice(Math.max(0, start - 40), start));
  const values = parts.values.map((value) => value * factor);
  return {
    start,
    end,
    text: text.slice(start, end).trim(),
    values,
    unit: unit[0],
    isStated: statedLead.test(text.slice(Math.max(0, start - 40), start)),
    nouns: readNouns(text.slice(end, end + 60)),
    tolerance: Math.max(
      scale.factor > 1 ? (factor * 0.5) / 10 ** countDecimals(parts.digits) : 0,
      hedged ? Math.abs(values[0] ?? 0) * 0.05 : 0,
    ),
    isWord: parts.digits === '' && scale.factor === 1,
    isOrdinal: parts.ordinal !== '',
  };
}

function readScale(after: string, isMoney: boolean): { factor: number; length: number } {
  const match = /^[\s\u00a0\u202f-]?(\p{L}[\p{L}\p{M}]*)(\.(?=\s))?/u.exec(after);
  const word = match?.[1]?.toLowerCase() ?? '';
  const single = isMoney && Object.hasOwn({ m: 0, b: 0 }, word) ? (word === 'm' ? 1e6 : 1e9) : undefined;
  const factor = single ?? (Object.hasOwn(scales, word) ? scales[word] : undefined);
  return match && factor ? { factor, length: match[0].length } : { factor: 1, length: 0 };
}

function readUnitAfter(after: string, before: string): { unit: Unit; length: number } {
  const sign = before ? readUnit(before) : undefined;
  if (sign) return { unit: sign, length: 0 };
  const match = unitPattern.exec(after);
  const unit = match?.[1] ? readUnit(match[1]) : undefined;
  return match && unit ? { unit, length: match[0].length } : { unit: ['', 1], length: 0 };
}

/** Returns the words right after the number, up to the first that belongs to something else ("12 of the …"). */
function readNouns(after: string): string[] {
  const clause = /^[^.,;:()!?“”"]*/u.exec(after)?.[0] ?? '';
  const words = clause.match(/\p{L}[\p{L}\p{M}]*/gu)?.slice(0, 2) ?? [];
  const end = words.findIndex((word) => word.length < 3 || stopWords.has(word.toLowerCase()));
  return (end < 0 ? words : words.slice(0, end)).map(stem);
}

function isHedged(before: string): boolean {
  const words = before.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.slice(-2).some((word) => hedges.has(word));
}

function countDecimals(digits: string): number {
  return /[.,](\d{1,2})$/.exec(digits)?.[1]?.length ?? 0;
}

/**
 * Returns whether another figure states the same as the claim: same unit, and values within either's tolerance. The
 * claim is interpreted by the rules of its own locale, the other in any possible way.
 */
export function sameFigure(claim: NumberFigure, other: NumberFigure): boolean {
  const claimed = claim.values[0] ?? Number.NaN;
  const tolerance = Math.max(claim.tolerance, other.tolerance, Math.abs(claimed) * 1e-9);
  return claim.unit === other.unit && other.values.some((value) => Math.abs(value - claimed) <= tolerance);
}

/** Returns whether two figures count the same thing, so that different values would contradict each other. */
export function sameSubject(left: NumberFigure, right: NumberFigure): boolean {
  if (left.unit !== right.unit || left.isOrdinal !== right.isOrdinal) return false;
  if (left.unit === 'percent' || left.unit === 'points' || isCurrency(left.unit)) return true;
  if (left.unit !== '' || left.nouns.some((noun) => right.nouns.includes(noun))) return true;
  const leaveOpen = [left, right].filter((figure) => figure.nouns.length === 0);
  return leaveOpen.length > 0 && leaveOpen.every((figure) => figure.isStated);
}
