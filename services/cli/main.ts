import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { asksForJson, CliError, reportError, toSentence } from './run-command.ts';

/** Turns `error: unknown command 'x'` into a sentence; null for help and version, which are not errors. */
function describeUsageError(error: CommanderError): CliError | null {
  if (error.exitCode === 0) return null;
  const text = error.code === 'commander.help' ? 'name a command' : toSentence(error).replace(/^error: /, '');
  const message = `${text[0]?.toUpperCase()}${text.slice(1).replace(/\.$/, '')}; see fieldstone --help.`;
  return new CliError(message, { code: 'usage', cause: error });
}

const args = process.argv.slice(2);
try {
  await (await createProgram(args)).parseAsync();
} catch (thrown) {
  const error = thrown instanceof CommanderError ? describeUsageError(thrown) : thrown;
  if (error) reportError(error, asksForJson(args));
}
