import { daysForWeekdays, daysToWeekday, nthWeekday } from './date-calendar.ts';
import { momentOf, normaliseZone, wallClock } from './date-zone.ts';
import { TwigDate } from './values.ts';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const monthWord =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const dayWord =
  '(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?)';
const unitWord =
  '(milliseconds?|msecs?|ms|microseconds?|usecs?|seconds?|secs?|minutes?|mins?|hours?|days?|weekdays?|weeks?|fortnights?|forthnights?|months?|years?)';
const numberWords: Record<string, number> = {
  ...{ last: -1, previous: -1, this: 0, next: 1, first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6 },
  ...{ seventh: 7, eighth: 8, ninth: 9, tenth: 10, eleventh: 11, twelfth: 12 },
};
const numberWord = `(${Object.keys(numberWords).join('|')})`;

/** The parts of a date parsed so far: absolute parts, then amounts to add. */
interface Reading {
  date: { year: number; month: number; day: number } | null;
  time: { hour: number; minute: number; second: number; ms: number } | null;
  zone: string;
  epochMs: number | null;
  years: number;
  months: number;
  days: number;
  weekdays: number;
  ms: number;
  /** `behaviour` as in PHP: 0 = strictly after, 1 = today counts, 2 = the weekday in the current week. */
  weekday: { day: number; behaviour: number } | null;
  /** The first, second, … or last given weekday of the month. */
  nth: { count: number; day: number } | null;
  edge: 'first' | 'last' | null;
  base: { year: number; month: number; day: number };
}

type Rule = [RegExp, (reading: Reading, match: RegExpExecArray) => void];

const month = (word: string) => monthNames.indexOf(word.slice(0, 3).toLowerCase()) + 1;
const weekday = (word: string) => dayNames.indexOf(word.slice(0, 3).toLowerCase());
const expandYear = (text: string) =>
  text.length > 2 ? Number(text) : Number(text) + (Number(text) < 70 ? 2000 : 1900);
const setDate = (reading: Reading, year: number, monthNumber: number, day: number) => {
  reading.date = { year, month: monthNumber, day };
};

function setTime(reading: Reading, hour: string, minute = '0', second = '0', fraction = '', half = ''): void {
  let hours = Number(hour);
  if (/^p/i.test(half) && hours < 12) hours += 12;
  if (/^a/i.test(half) && hours === 12) hours = 0;
  if (hours > 24 || Number(minute) > 59 || Number(second) > 60) throw new TypeError('The time is out of range.');
  reading.time = {
    hour: hours,
    minute: Number(minute),
    second: Number(second),
    ms: Math.trunc(Number(`0.${fraction || 0}`) * 1000),
  };
}

const midnight = (reading: Reading) => setTime(reading, '0');
const rule = (pattern: string, run: Rule[1]): Rule => [new RegExp(`^(?:${pattern})`, 'i'), run];

function addUnit(reading: Reading, amount: number, unit: string): void {
  const name = unit.toLowerCase();
  if (/^(ms|msec|milli)/.test(name)) reading.ms += amount;
  else if (/^(usec|micro)/.test(name)) reading.ms += amount / 1000;
  else if (name.startsWith('sec')) reading.ms += amount * 1000;
  else if (name.startsWith('min')) reading.ms += amount * 60_000;
  else if (name.startsWith('hour')) reading.ms += amount * 3_600_000;
  else if (name.startsWith('weekday')) reading.weekdays += amount;
  else if (name.startsWith('day')) reading.days += amount;
  else if (name.startsWith('week')) reading.days += amount * 7;
  else if (name.startsWith('fort')) reading.days += amount * 14;
  else if (name.startsWith('mon')) reading.months += amount;
  else if (name.startsWith('year')) reading.years += amount;
}

function setWeekday(reading: Reading, amount: number, name: string): void {
  reading.days += (amount > 0 ? amount - 1 : amount) * 7;
  reading.weekday = { day: weekday(name), behaviour: amount === 0 ? 1 : 0 };
}

const zonePattern =
  '(utc|gmt|z|[+-]\\d{1,2}:?\\d{2}|[+-]\\d{1,2}|[a-z]+/[a-z_]+(?:/[a-z_]+)?|e[sd]t|c[sd]t|m[sd]t|p[sd]t|cest|cet|bst)\\b';
const clock = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?:\\s*([ap])\\.?m\\.?)?';

/**
 * Tried in order at each position of the text; the first match is used (PHP manual: Supported Date and Time Formats).
 */
const rules: Rule[] = [
  rule('now\\b', () => {}),
  rule('(?:today|midnight)\\b', midnight),
  rule('noon\\b', (reading) => setTime(reading, '12')),
  rule('yesterday\\b', (reading) => [midnight(reading), addUnit(reading, -1, 'day')]),
  rule('tomorrow\\b', (reading) => [midnight(reading), addUnit(reading, 1, 'day')]),
  rule('@(-?\\d+(?:\\.\\d+)?)', (reading, m) => {
    reading.epochMs = Math.trunc(Number(m[1]) * 1000);
    reading.zone = '+00:00';
  }),
  rule(`(first|last) day of\\b`, (reading, m) => {
    reading.edge = m[1]!.toLowerCase() as 'first' | 'last';
  }),
  rule('([+-]?\\d{4,6})-(\\d{1,2})-(\\d{1,2})(?=$|[T\\s])t?', (reading, m) =>
    setDate(reading, Number(m[1]), Number(m[2]), Number(m[3])),
  ),
  rule('(\\d{4})/(\\d{1,2})/(\\d{1,2})', (reading, m) => setDate(reading, Number(m[1]), Number(m[2]), Number(m[3]))),
  rule('(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d{2})', (reading, m) =>
    setDate(reading, expandYear(m[3]!), Number(m[1]), Number(m[2])),
  ),
  rule('(\\d{1,2})[.-](\\d{1,2})[.-](\\d{4})', (reading, m) =>
    setDate(reading, Number(m[3]), Number(m[2]), Number(m[1])),
  ),
  rule(`(\\d{1,2})(?:st|nd|rd|th)?[ \\t.-]*${monthWord}[ \\t.,-]*(\\d{4})`, (reading, m) =>
    setDate(reading, Number(m[3]), month(m[2]!), Number(m[1])),
  ),
  rule(`${monthWord}[ \\t.-]*(\\d{1,2})(?:st|nd|rd|th)?[ \\t,.-]+(\\d{4})`, (reading, m) =>
    setDate(reading, Number(m[3]), month(m[1]!), Number(m[2])),
  ),
  rule(`(\\d{4})[ \\t.-]*${monthWord}[ \\t.-]*(\\d{1,2})\\b`, (reading, m) =>
    setDate(reading, Number(m[1]), month(m[2]!), Number(m[3])),
  ),
  rule(`(\\d{1,2})(?:st|nd|rd|th)?[ \\t.-]*${monthWord}\\b`, (reading, m) =>
    setDate(reading, reading.base.year, month(m[2]!), Number(m[1])),
  ),
  rule(`${monthWord}[ \\t.-]*(\\d{4})\\b`, (reading, m) => setDate(reading, Number(m[2]), month(m[1]!), 1)),
  rule(`${monthWord}[ \\t.-]*(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)`, (reading, m) =>
    setDate(reading, reading.base.year, month(m[1]!), Number(m[2])),
  ),
  rule(`(\\d{4})-(\\d{2})(?=$|\\s)`, (reading, m) => setDate(reading, Number(m[1]), Number(m[2]), 1)),
  rule(`(\\d{4})(\\d{2})(\\d{2})(?:t?(\\d{2})(\\d{2})(\\d{2})?)?(?=$|[zt\\s])`, (reading, m) => {
    setDate(reading, Number(m[1]), Number(m[2]), Number(m[3]));
    if (m[4]) setTime(reading, m[4], m[5], m[6]);
  }),
  rule(`(\\d{4})-?w(\\d{2})(?:-?([0-7]))?`, (reading, m) => {
    const fourth = new Date(Date.UTC(Number(m[1]), 0, 4));
    const monday = 4 - (fourth.getUTCDay() || 7) + 1;
    setDate(reading, Number(m[1]), 1, monday + (Number(m[2]) - 1) * 7 + Number(m[3] ?? 1) - 1);
  }),
  rule(`t?${clock}`, (reading, m) => setTime(reading, m[1]!, m[2], m[3], m[4], m[5])),
  rule('(\\d{1,2})\\s*([ap])\\.?m\\.?\\b', (reading, m) => setTime(reading, m[1]!, '0', '0', '', m[2])),
  rule(`([+-]?)\\s*(\\d+)\\s*${unitWord}\\s+ago\\b`, (reading, m) =>
    addUnit(reading, m[1] === '-' ? Number(m[2]) : -Number(m[2]), m[3]!),
  ),
  rule(`([+-]*)\\s*(\\d+)\\s*${unitWord}\\b`, (reading, m) => {
    const negative = (m[1]!.match(/-/g) ?? []).length % 2 === 1;
    addUnit(reading, negative ? -Number(m[2]) : Number(m[2]), m[3]!);
  }),
  rule(`${numberWord}\\s+${dayWord}\\s+of\\b`, (reading, m) => {
    reading.nth = { count: numberWords[m[1]!.toLowerCase()]!, day: weekday(m[2]!) };
    midnight(reading);
  }),
  rule(`(last|previous|this|next)\\s+weeks?\\b`, (reading, m) => {
    reading.days += 7 * numberWords[m[1]!.toLowerCase()]!;
    reading.weekday = { day: reading.weekday?.day ?? 1, behaviour: 2 };
  }),
  rule(`${numberWord}\\s+${unitWord}\\b`, (reading, m) => addUnit(reading, numberWords[m[1]!.toLowerCase()]!, m[2]!)),
  rule(`${numberWord}\\s+${dayWord}\\b`, (reading, m) => {
    setWeekday(reading, numberWords[m[1]!.toLowerCase()]!, m[2]!);
    reading.time ??= { hour: 0, minute: 0, second: 0, ms: 0 };
  }),
  rule(`([+-]\\d+)\\s*${dayWord}\\b`, (reading, m) => setWeekday(reading, Number(m[1]), m[2]!)),
  rule(`${monthWord}\\b`, (reading, m) => setDate(reading, reading.base.year, month(m[1]!), reading.base.day)),
  rule(`${dayWord}\\b`, (reading, m) => {
    reading.weekday = { day: weekday(m[1]!), behaviour: reading.weekday?.behaviour === 2 ? 2 : 1 };
    reading.time ??= { hour: 0, minute: 0, second: 0, ms: 0 };
  }),
  rule(zonePattern, (reading, m) => {
    reading.zone = normaliseZone(m[1]!);
  }),
  rule('(?:of|at|on|the)\\b|[,.\\s]+', () => {}),
];

/** The format of timestamps in records; a shortcut past the rules. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Parses a date like PHP's `strtotime`, in the given zone unless the text names one. Throws a `TypeError`. */
export function parseDate(text: string, zone: string, nowMs: number): TwigDate {
  if (timestamp.test(text)) {
    const epochMs = Date.parse(text);
    if (!Number.isNaN(epochMs)) return new TwigDate(epochMs, 'UTC');
  }
  return readDate(text, new TwigDate(nowMs, zone));
}

/** Moves a date by a text such as `+1 day` or `first day of next month`. */
export function modifyDate(date: TwigDate, text: string): TwigDate {
  return readDate(text, date, true);
}

function readDate(text: string, base: TwigDate, keepTime = false): TwigDate {
  const { year, month: monthNumber, day } = wallClock(base.zone, base.epochMs);
  const amounts = { years: 0, months: 0, days: 0, weekdays: 0, ms: 0 };
  const start = { year, month: monthNumber, day };
  const reading: Reading = {
    date: null,
    time: null,
    zone: base.zone,
    epochMs: null,
    weekday: null,
    nth: null,
    edge: null,
    base: start,
    ...amounts,
  };
  let rest = text.trim();
  if (rest.length > 200) throw new TypeError('The date is too long.');
  while (rest !== '') {
    const used = applyRule(reading, rest);
    if (used === 0) throw new TypeError(`Failed to parse the date "${text.slice(0, 60)}".`);
    rest = rest.slice(used);
  }
  return settle(reading, base, keepTime);
}

function applyRule(reading: Reading, rest: string): number {
  for (const [pattern, run] of rules) {
    const match = pattern.exec(rest);
    if (!match || match[0] === '') continue;
    run(reading, match);
    return match[0].length;
  }
  return 0;
}

function settle(reading: Reading, base: TwigDate, keepTime: boolean): TwigDate {
  const zone = reading.zone;
  const now = wallClock(zone, reading.epochMs ?? base.epochMs);
  const date = reading.date ?? now;
  const zero = { hour: 0, minute: 0, second: 0, ms: 0 };
  const time = reading.time ?? (reading.date && !keepTime ? zero : now);
  let local = { year: date.year, month: date.month, day: date.day };
  if (reading.weekday) local.day += daysToWeekday(local, reading.weekday, reading.days);
  local = { year: local.year + reading.years, month: local.month + reading.months, day: local.day + reading.days };
  if (reading.edge === 'first') local.day = 1;
  if (reading.edge === 'last') local = { ...local, month: local.month + 1, day: 0 };
  if (reading.nth) local = nthWeekday(local, reading.nth);
  const clockParts = { hour: time.hour, minute: time.minute, second: time.second, ms: time.ms };
  if (reading.weekdays) local.day += daysForWeekdays(local, reading.weekdays);
  return new TwigDate(momentOf(zone, { ...local, ...clockParts }) + Math.trunc(reading.ms), zone);
}
