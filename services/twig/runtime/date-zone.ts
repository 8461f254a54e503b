/** The local time in a zone. `month` counts from 1, `weekday` from Sunday as 0. */
export interface WallClock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ms: number;
  weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 600;

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', timeZoneName: 'longOffset' });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(zone, made);
  return made;
}

/** Checks a zone name and returns it in canonical form; throws a `TypeError` when it is unknown. */
export function normaliseZone(name: string): string {
  if (/^(utc|z|gmt)$/i.test(name)) return 'UTC';
  const offset = /^(?:gmt|utc)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(name);
  if (offset) return `${offset[1]}${offset[2]!.padStart(2, '0')}:${offset[3] ?? '00'}`;
  const abbreviation = abbreviations[name.toLowerCase()];
  if (abbreviation) return abbreviation;
  try {
    formatFor(name);
    return name;
  } catch {
    throw new TypeError(`Unknown or bad timezone (${name.slice(0, 60)}).`);
  }
}

const abbreviations: Record<string, string> = {
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pdt: '-07:00',
  cet: '+01:00',
  cest: '+02:00',
  bst: '+01:00',
};

/** Returns the offset of a zone from UTC at a given time, in seconds. */
export function offsetSeconds(zone: string, epochMs: number): number {
  if (zone === 'UTC') return 0;
  if (zone[0] === '+' || zone[0] === '-') return parseOffset(zone);
  const part = formatFor(zone)
    .formatToParts(epochMs)
    .find(({ type }) => type === 'timeZoneName');
  const match = /GMT(?:([+-]\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(part?.value ?? '');
  if (!match?.[1]) return 0;
  return parseOffset(`${match[1]}:${match[2]}`) + (match[1].startsWith('-') ? -1 : 1) * Number(match[3] ?? 0);
}

function parseOffset(text: string): number {
  const seconds = Number(text.slice(1, 3)) * 3600 + Number(text.slice(4, 6) || 0) * 60;
  return text.startsWith('-') ? -seconds : seconds;
}

/** Returns the local time in a zone. */
export function wallClock(zone: string, epochMs: number): WallClock {
  const local = new Date(epochMs + offsetSeconds(zone, epochMs) * 1000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    ms: local.getUTCMilliseconds(),
    weekday: local.getUTCDay(),
  };
}

/** Returns the time in milliseconds for a local time; parts that are out of range overflow as in PHP. */
export function momentOf(zone: string, clock: Omit<WallClock, 'weekday'>): number {
  const date = new Date(0);
  date.setUTCFullYear(clock.year, clock.month - 1, clock.day);
  date.setUTCHours(clock.hour, clock.minute, clock.second, clock.ms);
  const local = date.getTime();
  if (Number.isNaN(local)) throw new TypeError('The date is out of range.');
  const first = local - offsetSeconds(zone, local) * 1000;
  return local - offsetSeconds(zone, first) * 1000;
}

/** Returns the short name of a zone at a given time, such as CET, or its offset when it has none. */
export function zoneAbbreviation(zone: string, epochMs: number): string {
  if (zone === 'UTC' || zone[0] === '+' || zone[0] === '-') return zone;
  const options = { timeZone: zone, timeZoneName: 'short' } as const;
  for (const locale of ['en-US', 'en-GB', 'en-AU']) {
    const parts = new Intl.DateTimeFormat(locale, options).formatToParts(epochMs);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  const seconds = offsetSeconds(zone, epochMs);
  const hours = String(Math.floor(Math.abs(seconds) / 3600)).padStart(2, '0');
  const minutes = Math.floor((Math.abs(seconds) % 3600) / 60);
  return `${seconds < 0 ? '-' : '+'}${hours}${minutes > 0 ? String(minutes).padStart(2, '0') : ''}`;
}
