import type { Command } from 'commander';
import { parseTimestamp } from '../core/timestamp.ts';
import type { CommonOptions } from './command-options.ts';
import { CliError } from './run-command.ts';

/** Options of commands that work on a range of deliveries or events. */
export interface RangeOptions extends CommonOptions {
  status?: string;
  since?: string;
  limit?: string;
}

/** Page size of reads, and the default of `--limit`. */
export const pageSize = 100;

/** Adds the options of a range. */
export function addRangeOptions(command: Command): Command {
  return command
    .option('--status <status>', 'only those with this status')
    .option('--since <time>', 'only those at or after this UTC time');
}

/** Parses the range. Throws a sentence for an unknown status or an invalid time. */
export function readRange<Status extends string>({ status, since }: RangeOptions, statuses: readonly Status[]) {
  const known = statuses.find((one) => one === status);
  if (status !== undefined && !known)
    throw new CliError(`--status takes one of ${statuses.join(', ')}, not "${status}".`, { code: 'usage' });
  const time = since === undefined ? undefined : parseTimestamp(since);
  if (time === null) {
    const message = `--since takes a UTC time such as 2026-01-31T12:00:00Z, not "${since}".`;
    throw new CliError(message, { code: 'usage' });
  }
  return { status: known, since: time };
}

/** Parses `--limit`. Throws a sentence if it is not a number within bounds. */
export function readLimit({ limit }: Pick<RangeOptions, 'limit'>, what: string): number {
  const count = Number(limit ?? pageSize);
  if (!Number.isInteger(count) || count < 1)
    throw new CliError(`--limit takes a number of ${what}.`, { code: 'usage' });
  return count;
}
