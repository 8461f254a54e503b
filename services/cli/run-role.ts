import { ConfigError } from '../core/config.ts';
import { asksForJson, reportError } from './run-command.ts';

/** The program of a role's process: `node run-role.ts gateway`. Ends with another code than 0 when the role cannot start or gives up. */
const role = process.argv[2];
try {
  const { main } = (await import(`../${role}/main.ts`)) as { main(): Promise<void> };
  await main();
} catch (error) {
  // What to set is a sentence for people; anything else is for the log, whole.
  if (error instanceof Error && !(error instanceof ConfigError)) process.stderr.write(`${error.stack}\n`);
  reportError(error, asksForJson(process.argv));
  process.exit();
}
