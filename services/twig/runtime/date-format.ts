import { offsetSeconds, type WallClock, wallClock, zoneAbbreviation } from './date-zone.ts';
import type { TwigDate } from './values.ts';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayMs = 86_400_000;
const two = (value: number) => String(value).padStart(2, '0');

/** Implements PHP's `DateTime::format`; a backslash escapes the next letter. */
export function formatDate(date: TwigDate, format: string): string {
  const clock = wallClock(date.zone, date.epochMs);
  return format.replace(/\\([\s\S])|[a-zA-Z]/g, (letter, kept: string | undefined) => {
    return kept ?? formatLetter(letter, clock, date);
  });
}

function formatLetter(letter: string, clock: WallClock, date: TwigDate): string {
  return dayLetters[letter]?.(clock) ?? timeLetters[letter]?.(clock) ?? zoneLetters[letter]?.(date) ?? letter;
}

type Letters<T> = Record<string, (value: T) => string>;

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const year4 = (year: number) => (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(4, '0');
const dayNumber = ({ year, month, day }: WallClock) =>
  Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / dayMs);

function ordinal(day: number): string {
  if (day % 10 === 1 && day !== 11) return 'st';
  if (day % 10 === 2 && day !== 12) return 'nd';
  return day % 10 === 3 && day !== 13 ? 'rd' : 'th';
}

/** Returns the week by ISO 8601: it belongs to the year of its Thursday. */
function isoWeek(clock: WallClock): { year: number; week: number } {
  const thursday = new Date(Date.UTC(clock.year, clock.month - 1, clock.day + 4 - (clock.weekday || 7)));
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / dayMs / 7) + 1 };
}

const dayLetters: Letters<WallClock> = {
  d: ({ day }) => two(day),
  D: ({ weekday }) => days[weekday]!.slice(0, 3),
  j: ({ day }) => String(day),
  l: ({ weekday }) => days[weekday]!,
  N: ({ weekday }) => String(weekday || 7),
  S: ({ day }) => ordinal(day),
  w: ({ weekday }) => String(weekday),
  z: (clock) => String(dayNumber(clock)),
  W: (clock) => two(isoWeek(clock).week),
  o: (clock) => String(isoWeek(clock).year),
  F: ({ month }) => months[month - 1]!,
  m: ({ month }) => two(month),
  M: ({ month }) => months[month - 1]!.slice(0, 3),
  n: ({ month }) => String(month),
  t: ({ year, month }) => String(new Date(Date.UTC(year, month, 0)).getUTCDate()),
  L: ({ year }) => (isLeap(year) ? '1' : '0'),
  Y: ({ year }) => year4(year),
  y: ({ year }) => two(Math.abs(year) % 100),
};

const timeLetters: Letters<WallClock> = {
  a: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  B: ({ hour, minute, second }) =>
    String(Math.floor(((hour * 3600 + minute * 60 + second + 3600) % 86_400) / 86.4)).padStart(3, '0'),
  g: ({ hour }) => String(hour % 12 || 12),
  G: ({ hour }) => String(hour),
  h: ({ hour }) => two(hour % 12 || 12),
  H: ({ hour }) => two(hour),
  i: ({ minute }) => two(minute),
  s: ({ second }) => two(second),
  u: ({ ms }) => `${String(ms).padStart(3, '0')}000`,
  v: ({ ms }) => String(ms).padStart(3, '0'),
};

function offsetText({ zone, epochMs }: TwigDate, colon: string): string {
  const seconds = offsetSeconds(zone, epochMs);
  const minutes = Math.floor(Math.abs(seconds) / 60);
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${colon}${two(minutes % 60)}`;
}

const summer = ({ zone, epochMs }: TwigDate) => {
  const year = wallClock(zone, epochMs).year;
  const winter = Math.min(offsetSeconds(zone, Date.UTC(year, 0, 1)), offsetSeconds(zone, Date.UTC(year, 6, 1)));
  return offsetSeconds(zone, epochMs) > winter;
};

const zoneLetters: Letters<TwigDate> = {
  e: ({ zone }) => zone,
  I: (date) => (summer(date) ? '1' : '0'),
  O: (date) => offsetText(date, ''),
  P: (date) => offsetText(date, ':'),
  p: (date) => (date.zone === 'UTC' || date.zone === '+00:00' ? 'Z' : offsetText(date, ':')),
  T: ({ zone, epochMs }) => zoneAbbreviation(zone, epochMs),
  Z: ({ zone, epochMs }) => String(offsetSeconds(zone, epochMs)),
  U: ({ epochMs }) => String(Math.floor(epochMs / 1000)),
  c: (date) => formatDate(date, 'Y-m-d\\TH:i:sP'),
  r: (date) => formatDate(date, 'D, d M Y H:i:s O'),
};
