import { type DateFigure, isRealDate, toDay } from '../text/dates.ts';
import type { NumberFigure } from '../text/numbers.ts';
import type { Statement } from '../text/statements.ts';

/**
 * Tolerance of one year: birthdays and anniversaries fall before or after the day in question, and authors may count
 * both ends of a span.
 */
const slackYears = 1;
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Finds days that do not exist, and weekdays that do not match their date. */
export function checkDates(statement: Statement): string[] {
  return statement.dates.flatMap((date) => {
    if (!isRealDate(date)) return [`The calendar has no ${date.text}.`];
    const day = toDay(date);
    if (!day || date.weekday === null || day.getUTCDay() === date.weekday) return [];
    return [`${day.toISOString().slice(0, 10)} was a ${weekdayNames[day.getUTCDay()]}.`];
  });
}

/**
 * Finds spans, ages and anniversaries that do not add up, in one sentence. `referenceYear` is the year of publication,
 * for "20 years ago". A calculation is judged only when its years and its number are unambiguous.
 */
export function checkSpans(statement: Statement, referenceYear: number): string[] {
  const years = statement.numbers.filter((figure) => figure.unit === 'year' && !figure.isOrdinal);
  const checks = [checkRange, checkLater, checkAgo, checkAge, checkAnniversary];
  return checks.flatMap((check) => check({ statement, years, referenceYear }));
}

interface Span {
  statement: Statement;
  /** Durations in years. */
  years: NumberFigure[];
  referenceYear: number;
}

function checkRange({ statement, years }: Span): string[] {
  const range = findRange(statement);
  if (!range) return [];
  const [from, to] = range;
  const backwards = to.year < from.year && !/\b(?:BCE?|B\.C\.|v\. ?Chr)/.test(statement.text);
  if (backwards) return [`The span ends in ${to.year}, before it begins in ${from.year}.`];
  const spans = years.filter((figure) => isSpanLength(statement.text, to, figure));
  const [length] = spans;
  if (spans.length !== 1 || !length) return [];
  return disagree(length, to.year - from.year, `From ${from.year} to ${to.year} is`);
}

/** Finds "from 1990 to 2000", "between 1990 and 2000", "1990–2000": two dates with only such a word between them. */
function findRange(statement: Statement): [DateFigure, DateFigure] | null {
  if (statement.dates.length !== 2) return null;
  const [from, to] = statement.dates as [DateFigure, DateFigure];
  const before = statement.text.slice(Math.max(0, from.start - 12), from.start).toLowerCase();
  const between = statement.text.slice(from.end, to.start).trim().toLowerCase();
  const isDash = /^[-–—]$/.test(between);
  const isFromTo =
    /^(?:to|until|till|through|bis|jusqu'en|à|hasta|a)$/.test(between) &&
    /(?:from|von|de|depuis|desde)\s(?:\p{L}+\s)?$/u.test(before);
  const isBetween = /^(?:and|und|et|y)$/.test(between) && /(?:between|zwischen|entre)\s$/.test(before);
  return isDash || isFromTo || isBetween ? [from, to] : null;
}

const spanLead =
  /(?:[,(–—:]\s?|(?<!\p{L})(?:for|over|of|in|lasted|lasting|spanning|took|within|during|total|than|über|während|durant|pendant|durante|is|was|were|are|these|those|exactly|full)\s)(?:(?:a|the|all|exactly|some|total of)\s)?$/iu;
const otherLead = /(?<!\p{L})(?:aged?|age of|every|each|per)\s$/iu;
const otherTail = /^[\s-](?:old|later|ago|after|earlier|before|of|alt|später|zuvor)(?!\p{L})/iu;
const clauseBreak = /;|(?<!\p{L})(?:and|but|while|whereas|then|und|aber|et|mais|y|pero)(?!\p{L})/iu;

/** Returns whether a number of years is stated as the length of the adjacent span, in the same clause. */
function isSpanLength(text: string, to: DateFigure, figure: NumberFigure): boolean {
  const before = text.slice(Math.max(0, figure.start - 24), figure.start);
  const after = text.slice(figure.end, figure.end + 16);
  const between = textBetween(text, to, figure);
  return spanLead.test(before) && !otherLead.test(before) && !otherTail.test(after) && !clauseBreak.test(between);
}

const laterTail =
  /^\s(?:later|afterwards?|after\s|earlier|before\sthat|später|danach|zuvor|früher|plus\stard|más\starde|después)/iu;

function checkLater({ statement: { text, dates }, years }: Span): string[] {
  const [first, second] = dates;
  const spans = years.filter((figure) => laterTail.test(text.slice(figure.end)));
  const [length] = spans;
  if (spans.length !== 1 || !length || dates.length !== 2 || !first || !second) return [];
  if (!dates.some((date) => isBeside(text, date, length))) return [];
  return disagree(length, Math.abs(second.year - first.year), describeSpan(first, second));
}

/**
 * Returns whether date and length are adjacent ("25 years later, in 2020", "in 2020, 25 years later"), without another
 * event between them.
 */
function isBeside(text: string, date: DateFigure, length: NumberFigure): boolean {
  const after = date.start > length.end ? text.slice(length.end, date.start) : null;
  if (after !== null) return /^\s\p{L}+(?:\s\p{L}+)?[\s,(]{1,2}(?:(?:in|im|en|on|by)\s)?$/u.test(after);
  return /^[\s,(–—-]{1,3}(?:(?:exactly|about|some|only|almost|nearly|just)\s)?$/.test(
    text.slice(date.end, length.start),
  );
}

/** Checks "20 years ago", "since 1990, for 20 years": counted back from the day of publication. */
function checkAgo({ statement: { text, dates }, years, referenceYear }: Span): string[] {
  const [date] = dates;
  if (dates.length !== 1 || !date) return [];
  const isSince = /\b(?:since|seit|depuis|desde)\s$/i.test(text.slice(0, date.start));
  const spans = years.filter((figure) => {
    const before = text.slice(Math.max(0, figure.start - 40), figure.start);
    const isAgo = /^\s(?:ago|auparavant)\b/i.test(text.slice(figure.end)) || /\b(?:vor|il y a|hace)\s$/i.test(before);
    return isAgo || (isSince && /\bfor\s(?:(?:about|over|almost|nearly|exactly)\s)?$/i.test(before));
  });
  const [length] = spans;
  if (spans.length !== 1 || !length) return [];
  return disagree(
    length,
    referenceYear - date.year,
    `From ${date.year} to ${referenceYear}, when this was published, is`,
  );
}

function checkAge({ statement }: Span): string[] {
  const born = statement.dates.find((date) =>
    /\b(?:born|geboren|née?|nacid[oa])\b[^.;]{0,40}$/i.test(statement.text.slice(0, date.start)),
  );
  const others = statement.dates.filter((date) => date !== born && date.year !== born?.year);
  const ages = statement.numbers.filter((figure) => isAge(statement.text, figure));
  const [then] = others;
  const [age] = ages;
  if (!born || others.length !== 1 || !then || ages.length !== 1 || !age) return [];
  if (clauseBreak.test(textBetween(statement.text, then, age))) return [];
  const years = then.year - born.year;
  const value = age.values[0] ?? 0;
  if (value === years || value === years - 1) return [];
  return [`A person born in ${born.year} was ${years - 1} or ${years} in ${then.year}, not ${value}.`];
}

function isAge(text: string, figure: NumberFigure): boolean {
  const before = text.slice(Math.max(0, figure.start - 16), figure.start);
  const after = text.slice(figure.end, figure.end + 8);
  const isOld = figure.unit === 'year' && (/-old$/i.test(figure.text) || /^[\s-](?:old|alt)/i.test(after));
  return (
    isOld ||
    (['', 'year'].includes(figure.unit) &&
      /\b(?:aged|at age|age of|turned|im alter von|à l'âge de|a los)\s$/i.test(before))
  );
}

function checkAnniversary({ statement }: Span): string[] {
  const ordinals = statement.numbers.filter(
    (figure) =>
      figure.isOrdinal && /^\s(?:\p{L}+\s)?(?:anniversary|birthday|jubilee)/iu.test(statement.text.slice(figure.end)),
  );
  const [ordinal] = ordinals;
  const [first, second] = statement.dates;
  if (ordinals.length !== 1 || !ordinal || statement.dates.length !== 2 || !first || !second) return [];
  if (second.start > ordinal.end && clauseBreak.test(textBetween(statement.text, second, ordinal))) return [];
  return disagree(ordinal, Math.abs(second.year - first.year), describeSpan(first, second));
}

function textBetween(
  text: string,
  left: { start: number; end: number },
  right: { start: number; end: number },
): string {
  return text.slice(Math.min(left.end, right.end), Math.max(left.start, right.start));
}

function describeSpan(left: DateFigure, right: DateFigure): string {
  return `From ${Math.min(left.year, right.year)} to ${Math.max(left.year, right.year)} is`;
}

function disagree(stated: NumberFigure, actualYears: number, span: string): string[] {
  const value = stated.values[0] ?? 0;
  const allowed = Math.max(slackYears, stated.tolerance);
  return Math.abs(value - actualYears) <= allowed ? [] : [`${span} ${actualYears} years, not ${value}.`];
}
