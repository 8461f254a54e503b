import { ConfigError } from '../core/config.ts';
import { asksForJson, reportError } from './run-command.ts';

/**
 * The program of a role's process: `node run-role.ts gateway`. The exit code is not 0 if the role cannot start or fails
 * permanently.
 */
const role = process.argv[2];
try {
  const { main } = (await import(`../${role}/main.ts`)) as { main(): Promise<void> };
  await main();
} catch (error) {
  // A ConfigError is a sentence for people; any other error is logged with its stack.
  if (error instanceof Error && !(error instanceof ConfigError)) process.stderr.write(`${error.stack}\n`);
  reportError(error, asksForJson(process.argv));
  process.exit();
}
