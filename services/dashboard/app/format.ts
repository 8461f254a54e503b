const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const duration = new Intl.NumberFormat('en', { style: 'unit', unit: 'second', unitDisplay: 'long' });

/** Returns how far a time is from now, such as `3 hours ago`. */
export function describeAge(time: string, now: number = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1000;
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : 'just now';
}

/** Returns a time in the form and time zone of the browser. */
export const describeTime = (time: string): string => exact.format(new Date(time));

/** Returns a time without its year, for narrow columns, in the form and time zone of the browser. */
export const describeShortTime = (time: string): string => short.format(new Date(time));

/** Returns a moment as the API takes it: UTC, without fractions of a second. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** Returns a duration in whole seconds, such as `12 seconds`. */
export const describeSeconds = (seconds: number): string => duration.format(Math.max(1, Math.round(seconds)));

/** Returns a number of bytes in the nearest decimal unit, such as `1.2 MB`. */
export function describeBytes(bytes: number): string {
  const [value, unit] =
    bytes >= 1e9
      ? [bytes / 1e9, 'gigabyte']
      : bytes >= 1e6
        ? [bytes / 1e6, 'megabyte']
        : bytes >= 1e3
          ? [bytes / 1e3, 'kilobyte']
          : [bytes, 'byte'];
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit,
    maximumFractionDigits: value < 10 && unit !== 'byte' ? 1 : 0,
  }).format(value);
}

/** Returns the text for one or for several; `#` in `many` stands for the number. */
export const plural = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('#', count.toLocaleString('en'));
