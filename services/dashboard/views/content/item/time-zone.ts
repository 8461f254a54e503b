/** The zone of the browser, such as `Europe/Berlin`. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All zones that the browser knows, the own one and UTC first. */
export const timeZones = (): readonly string[] => [
  ...new Set([ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];

/** Returns how many milliseconds a zone is ahead of UTC at a time. */
function offsetAt(zone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  return (
    Date.UTC(part['year']!, part['month']! - 1, part['day']!, part['hour']!, part['minute']!, part['second']!) -
    Math.floor(time / 1000) * 1000
  );
}

/** Returns a timestamp as the clocks of a zone show it, for an input: `2026-12-01T07:00`. */
export const toLocal = (timestamp: string, zone: string): string => {
  const time = Date.parse(timestamp);
  return new Date(time + offsetAt(zone, time)).toISOString().slice(0, 16);
};

/**
 * Returns the timestamp (spec: Timestamp rule) at which the clocks of a zone show this time. A time that a clock change skips is the one an hour
 * later; of one that comes twice it is the first.
 */
export function fromLocal(local: string, zone: string): string {
  const shown = Date.parse(`${local}Z`);
  const before = shown - offsetAt(zone, shown - 86_400_000);
  const after = shown - offsetAt(zone, shown + 86_400_000);
  const fits = (time: number) => time + offsetAt(zone, time) === shown;
  const time = [before, after].sort((a, b) => a - b).find(fits) ?? before;
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
