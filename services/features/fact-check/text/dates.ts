import { stopWords, yearLeads } from './vocabulary.ts';

export interface DateFigure {
  start: number;
  end: number;
  text: string;
  year: number;
  /** 1 to 12 */
  month: number | null;
  day: number | null;
  /** 0 is Sunday; as written next to the date. */
  weekday: number | null;
}

/** Finds dates with the names of days and months of one locale, and the English ones. */
interface DateReader {
  find(text: string): DateFigure[];
}

const yearPattern = /(?<![\p{L}\d.,:/#$€£¥₹-])(?:1\d{3}|20\d{2}|21\d{2})(?![\p{L}\d%]|[.,:/]\d|-\p{L})/gu;
const rangeEndPattern = /(?<=(?<!\d)(?:1\d{3}|20\d{2}|21\d{2})\s?[-–—/]\s?)(?:1\d{3}|20\d{2}|21\d{2})(?!\d)/gu;
const isoPattern = /(?<![\d-])(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?![\d-])/gu;

/** Creates a reader of dates for a locale: its own names of months and days, and the English ones. */
export function createDateReader(locale: string): DateReader {
  const months = new Map([...listNames('en', 'month'), ...listNames(locale, 'month')]);
  const weekdays = new Map([...listNames('en', 'weekday'), ...listNames(locale, 'weekday')]);
  const month = alternatives(months);
  const weekday = `(?:(?<weekday>${alternatives(weekdays)})\\.?,?\\s(?:the\\s|den\\s|dem\\s|le\\s|el\\s)?)?`;
  const year = '(?<year>1\\d{3}|20\\d{2}|21\\d{2})';
  const day = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|º)?\\.?';
  const patterns = [
    new RegExp(
      `(?<![\\p{L}\\d])${weekday}${day}\\s(?:of\\s|de\\s)?(?<month>${month})\\.?,?\\s(?:de\\s|del\\s)?${year}(?!\\d)`,
      'giu',
    ),
    new RegExp(`(?<![\\p{L}\\d])${weekday}(?<month>${month})\\.?\\s${day},?\\s${year}(?!\\d)`, 'giu'),
    isoPattern,
    new RegExp(`(?<![\\p{L}\\d])(?<month>${month})\\.?,?\\s(?:of\\s|de\\s)?${year}(?!\\d)`, 'giu'),
  ];

  function find(text: string): DateFigure[] {
    const found: DateFigure[] = [];
    for (const pattern of patterns) {
      for (const match of text.matchAll(pattern)) addDate(found, readMatch(match, months, weekdays));
    }
    for (const match of text.matchAll(rangeEndPattern)) addDate(found, bareYear(match));
    for (const match of text.matchAll(yearPattern)) {
      if (isYear(text, match.index, match.index + match[0].length)) addDate(found, bareYear(match));
    }
    return found.sort((left, right) => left.start - right.start);
  }
  return { find };
}

/** Adds a date unless it overlaps an earlier one: longer interpretations are found first. */
function addDate(found: DateFigure[], date: DateFigure): void {
  if (!found.some((other) => other.start < date.end && date.start < other.end)) found.push(date);
}

function readMatch(match: RegExpExecArray, months: Map<string, number>, weekdays: Map<string, number>): DateFigure {
  const groups = match.groups ?? {};
  const monthText = groups['month']?.toLowerCase() ?? '';
  return {
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
    year: Number(groups['year']),
    month: months.get(monthText) ?? Number(monthText),
    day: groups['day'] === undefined ? null : Number(groups['day']),
    weekday: weekdays.get(groups['weekday']?.toLowerCase() ?? '') ?? null,
  };
}

function bareYear(match: RegExpExecArray): DateFigure {
  const end = match.index + match[0].length;
  return { start: match.index, end, text: match[0], year: Number(match[0]), month: null, day: null, weekday: null };
}

/** Returns whether four digits are a year: after a word such as "in", or when no counted thing follows. */
function isYear(text: string, start: number, end: number): boolean {
  const before = /(\p{L}+)['’(\s]*$/u.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  if (before && yearLeads.has(before.toLowerCase())) return true;
  const after = /^\s(\p{L}+|[%€$£])/u.exec(text.slice(end, end + 24))?.[1];
  return after === undefined || (stopWords.has(after.toLowerCase()) && /\p{L}/u.test(after));
}

function listNames(locale: string, part: 'month' | 'weekday'): [string, number][] {
  const names: [string, number][] = [];
  for (const style of ['long', 'short'] as const) {
    const format = createFormat(locale, {
      [part]: style,
      ...(part === 'month' && style === 'long' ? { day: 'numeric' } : {}),
      timeZone: 'UTC',
    });
    for (let index = 0; index < (part === 'month' ? 12 : 7); index++) {
      // 4 January 1970 was a Sunday. A day next to the month gives the grammatical form that dates use (genitive).
      const date = part === 'month' ? new Date(Date.UTC(1970, index, 15)) : new Date(Date.UTC(1970, 0, 4 + index));
      const name =
        format
          .formatToParts(date)
          .find(({ type }) => type === part)
          ?.value.toLowerCase()
          .replace(/\.$/, '') ?? '';
      if (/^\p{L}[\p{L}\p{M}]+$/u.test(name)) names.push([name, part === 'month' ? index + 1 : index]);
    }
  }
  return names;
}

function createFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return new Intl.DateTimeFormat('en', options);
  }
}

function alternatives(names: Map<string, number>): string {
  return [...names.keys()].sort((left, right) => right.length - left.length).join('|');
}

/** Returns whether the day exists. */
export function isRealDate(date: DateFigure): boolean {
  if (date.month === null) return true;
  if (date.month < 1 || date.month > 12) return false;
  return date.day === null || (date.day >= 1 && date.day <= new Date(Date.UTC(date.year, date.month, 0)).getUTCDate());
}

/** Returns midnight of a full date, null for a month or year alone. */
export function toDay(date: DateFigure): Date | null {
  return date.month !== null && date.day !== null && isRealDate(date)
    ? new Date(Date.UTC(date.year, date.month - 1, date.day))
    : null;
}

/** Returns whether `other` matches `claim` with its precision: a claimed year matches any day in it. */
export function sameDate(claim: DateFigure, other: DateFigure): boolean {
  if (claim.year !== other.year) return false;
  if (claim.month !== null && claim.month !== other.month) return false;
  return claim.day === null || claim.day === other.day;
}
