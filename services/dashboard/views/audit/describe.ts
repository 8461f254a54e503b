import { toTimestamp } from '../../app/format.ts';

/** Returns an operation id as words: `updateContent` as `Update content`. The words of a command stay. */
export function describeOperation(operation: string): string {
  if (operation.includes(' ')) return operation;
  const words = operation.replace(
    /([a-z\d])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the moment at which a day of the browser's time zone begins, `days` days after `date` (`2026-11-22`). */
export function startOfDay(date: string, days = 0): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return toTimestamp(new Date(year, month - 1, day + days));
}
