const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/;

/**
 * Parses a timestamp, exactly `YYYY-MM-DDTHH:MM:SSZ` in the years 0001 to 9999 (spec: Content item, timestamp rule).
 * Returns null for anything else: offsets, fractions, lower case, invalid days, hour 24, leap seconds.
 */
export function parseTimestamp(text: string): Date | null {
  if (!pattern.test(text) || text.startsWith('0000')) return null;
  const date = new Date(text);
  // A day such as 30 February rolls over into the next month, so its text differs.
  return Number.isNaN(date.getTime()) || formatTimestamp(date) !== text ? null : date;
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Formats a valid date of the years 0 to 9999 as `YYYY-MM-DDTHH:MM:SSZ`; drops fractions of a second (contract:
 * Conventions). Cutting the text of `toISOString` takes twice as long, and records of lists have three timestamps each.
 */
export function formatTimestamp(date: Date): string {
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const day = `${year}-${twoDigits[date.getUTCMonth() + 1]}-${twoDigits[date.getUTCDate()]}`;
  const [hour, minute] = [twoDigits[date.getUTCHours()], twoDigits[date.getUTCMinutes()]];
  return `${day}T${hour}:${minute}:${twoDigits[date.getUTCSeconds()]}Z`;
}

/** Formats the value of a nullable column in the same way. */
export function timestampOrNull(date: Date | null): string | null {
  return date ? formatTimestamp(date) : null;
}
