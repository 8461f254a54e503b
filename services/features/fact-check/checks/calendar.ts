import { type DateFigure, isRealDate, toDay } from '../text/dates.ts';
import type { NumberFigure } from '../text/numbers.ts';
import type { Statement } from '../text/statements.ts';

/** Births and anniversaries fall before or after the day in question, and authors count both ends of a span: one year either way. */
const slackYears = 1;
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Days that the calendar lacks, and weekdays that do not belong to their date. */
export function checkDates(statement: Statement): string[] {
  return statement.dates.flatMap((date) => {
    if (!isRealDate(date)) return [`The calendar has no ${date.text}.`];
    const day = toDay(date);
    if (!day || date.weekday === null || day.getUTCDay() === date.weekday) return [];
    return [`${day.toISOString().slice(0, 10)} was a ${weekdayNames[day.getUTCDay()]}.`];
  });
}

/**
 * Spans, ages and anniversaries that do not add up, in one sentence. `referenceYear` is when the text was published: "20 years ago".
 * A calculation is judged only when the sentence leaves no doubt which years and which number it takes.
 */
export function checkSpans(statement: Statement, referenceYear: number): string[] {
  const years = statement.numbers.filter((figure) => figure.unit === 'year' && !figure.isOrdinal);
  const checks = [checkRange, checkLater, checkAgo, checkAge, checkAnniversary, checkLifespan];
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
  const spans = years.filter((figure) => isSpanLength(statement, figure));
  const [length] = spans;
  if (spans.length !== 1 || !length) return [];
  return disagree(length, to.year - from.year, `From ${from.year} to ${to.year} is`);
}

/** "from 1990 to 2000", "between 1990 and 2000", "1990–2000": two dates joined by nothing but such a word. */
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

function isSpanLength(statement: Statement, figure: NumberFigure): boolean {
  const before = statement.text.slice(Math.max(0, figure.start - 24), figure.start);
  const after = statement.text.slice(figure.end, figure.end + 16);
  const isAgeOrOther =
    /^[\s-](?:old|later|ago|after|earlier|before|of|alt|später|zuvor)\b/i.test(after) ||
    /\b(?:aged?|age of|every|each|per)\s$/i.test(before);
  return (
    !isAgeOrOther &&
    /(?:[,(–—:]\s?|\b(?:for|over|of|in|lasted|lasting|spanning|took|within|during|total|than|über|während|durant|pendant|durante|is|was|were|are|it|these|those|exactly|full)\s)(?:(?:a|the|all|these|those|exactly|some|total of)\s)*$/i.test(
      before,
    )
  );
}

function checkLater({ statement, years }: Span): string[] {
  const [earlier, later] = statement.dates;
  const spans = years.filter((figure) =>
    /^\s(?:later|afterwards?|after\s(?:that|its|the)|on,|später|danach|plus\stard|más\starde|después)/i.test(
      statement.text.slice(figure.end),
    ),
  );
  const [length] = spans;
  if (spans.length !== 1 || !length || statement.dates.length !== 2 || !earlier || !later) return [];
  return disagree(length, Math.abs(later.year - earlier.year), describeSpan(earlier, later));
}

function checkAgo({ statement, years, referenceYear }: Span): string[] {
  const spans = years.filter(
    (figure) =>
      /^\s(?:ago|auparavant)\b/i.test(statement.text.slice(figure.end)) ||
      /\b(?:vor|il y a|hace)\s$/i.test(statement.text.slice(0, figure.start)),
  );
  const [length] = spans;
  const [date] = statement.dates;
  if (spans.length !== 1 || !length || statement.dates.length !== 1 || !date) return [];
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
  const years = then.year - born.year;
  const value = age.values[0] ?? 0;
  if (value === years || value === years - 1) return [];
  return [`Somebody born in ${born.year} was ${years - 1} or ${years} in ${then.year}, not ${value}.`];
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
  return disagree(ordinal, Math.abs(second.year - first.year), describeSpan(first, second));
}

function checkLifespan({ statement }: Span): string[] {
  const { text, dates } = statement;
  const born = dates.find((date) => /\bborn\s(?:[^\d.;]{0,40})$/i.test(text.slice(0, date.start)));
  const died = dates.find((date) => /\bdied\s(?:[^\d.;]{0,40})$/i.test(text.slice(0, date.start)));
  return born && died && died.year < born.year ? [`A death in ${died.year} lies before a birth in ${born.year}.`] : [];
}

function describeSpan(left: DateFigure, right: DateFigure): string {
  return `From ${Math.min(left.year, right.year)} to ${Math.max(left.year, right.year)} is`;
}

function disagree(stated: NumberFigure, actualYears: number, span: string): string[] {
  const value = stated.values[0] ?? 0;
  const allowed = Math.max(slackYears, stated.tolerance);
  return Math.abs(value - actualYears) <= allowed ? [] : [`${span} ${actualYears} years, not ${value}.`];
}
