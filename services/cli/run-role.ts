import { ConfigError } from '../core/config.ts';
import { toSentence } from './run-command.ts';

/** The program of a role's process: `node run-role.ts gateway`. Ends with code 1 when the role cannot start or gives up. */
const role = process.argv[2];
try {
  const { main } = (await import(`../${role}/main.ts`)) as { main(): Promise<void> };
  await main();
} catch (error) {
  // What to set is a sentence for people; anything else is for the log, whole.
  process.stderr.write(
    `${error instanceof ConfigError || !(error instanceof Error) ? toSentence(error) : error.stack}\n`,
  );
  process.exit(1);
}
