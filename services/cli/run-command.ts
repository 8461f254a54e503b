import { TlsFailure } from '../engines/tls.ts';

/** An error of the command line itself; its message is one sentence for people. */
export class CliError extends Error {}

/** Prints a result: as JSON with `--json`, else as the lines that `describe` makes of it. */
export function printResult<T>(result: T, json: boolean | undefined, describe: (result: T) => string): void {
  process.stdout.write(`${json ? JSON.stringify(result) : describe(result)}\n`);
}

/** The failure of TLS that is behind an error, if one is: it says what to set, where the error says that an engine is away. */
function findTlsFailure(error: unknown): TlsFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof TlsFailure) return cause;
  return undefined;
}

/** What went wrong as one line, whatever was thrown. */
export function toSentence(thrown: unknown): string {
  const error = findTlsFailure(thrown) ?? thrown;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Wraps the action of a command: an error becomes one sentence on standard error and a non-zero exit
 * (contract: Processes, settings and CLI).
 */
export function command<Args extends unknown[]>(
  action: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      process.stderr.write(`${toSentence(error)}\n`);
      process.exitCode = 1;
    }
  };
}

/** The parts of a comma-separated list. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
