import { FieldstoneError } from '../client/errors.ts';
import { Problem } from '../core/errors.ts';
import { TlsFailure } from '../engines/tls.ts';

/** Exit codes of failed commands (contract: Processes, settings and CLI). */
const exitCodes = { failed: 1, usage: 2, refused: 3, not_found: 4, unavailable: 5 } as const;

export type CliErrorCode = keyof typeof exitCodes;

/** An error of the command line itself; its message is one sentence for people. */
export class CliError extends Error {
  readonly code: CliErrorCode;

  constructor(message: string, { code = 'failed', cause }: { code?: CliErrorCode; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** Statuses of a service over REST, after all retries, that say nothing about the request. */
const unavailableStatuses = new Set([429, 502, 503, 504]);

/** A service over REST cannot be reached. It is a TypeError, as of `fetch`, which the client retries. */
export class ServiceUnreachable extends TypeError {}

function codeOf(error: unknown): CliErrorCode {
  if (error instanceof CliError) return error.code;
  if (error instanceof ServiceUnreachable) return 'unavailable';
  if (!(error instanceof Problem || error instanceof FieldstoneError)) return 'failed';
  if (error.code === 'unavailable' || unavailableStatuses.has(error.status)) return 'unavailable';
  if (error.status === 404) return 'not_found';
  return error.status === 401 || error.status === 403 ? 'refused' : 'failed';
}

/** Returns a text of a site without the control characters that a terminal would obey. */
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '');

/** Prints a result: as JSON with `--json`, else as the text that `describe` returns. */
export function printResult<T>(result: T, json: boolean | undefined, describe: (result: T) => string): void {
  process.stdout.write(`${json ? JSON.stringify(result) : describe(result)}\n`);
}

/**
 * Returns the TLS failure among an error's causes, if any: it says what to set, while the error only says that an
 * engine is unavailable.
 */
function findTlsFailure(error: unknown): TlsFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof TlsFailure) return cause;
  return undefined;
}

/** Describes any thrown value in one line. */
export function toSentence(thrown: unknown): string {
  const error = findTlsFailure(thrown) ?? thrown;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return printable(message.replaceAll(/\s+/g, ' ')).trim();
}

/**
 * Prints the error as the last line on standard error, as one sentence or with `--json` as `{"error": {code,
 * message}}`, and sets the exit code. Every error of the program ends here (contract: Processes, settings and CLI).
 */
export function reportError(error: unknown, json: boolean | undefined): void {
  const code = codeOf(error);
  const message = toSentence(error);
  process.stderr.write(`${json ? JSON.stringify({ error: { code, message } }) : message}\n`);
  process.exitCode = exitCodes[code];
}

/** Returns whether a command line requests JSON; for errors that occur before its options are parsed. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
}

/** Wraps the action of a command: reports what it throws. */
export function command<Args extends unknown[]>(
  action: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      // commander passes the options, followed by the command itself
      reportError(error, (args.at(-2) as { json?: boolean } | undefined)?.json);
    }
  };
}

/** Splits a comma-separated list. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
