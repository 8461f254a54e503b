import type { Command } from 'commander';
import { prepareEngines } from '../prepare-engines.ts';
import { command, printResult } from '../run-command.ts';
import { loadCommandConfig } from '../settings.ts';

/** Adds `fieldstone migrate`: schema, first administrator and bucket; safe to run again and from several places. */
export function register(program: Command): void {
  program
    .command('migrate')
    .description('bring the database and the object store up to date')
    .option('--data <dir>', 'data folder of the running service')
    .option('--json', 'print JSON')
    .action(
      command(async (options: { data?: string; json?: boolean }) => {
        const migrations = await prepareEngines(loadCommandConfig(options.data));
        printResult({ migrations }, options.json, (result) =>
          result.migrations.length > 0 ? `Ran ${result.migrations.length} migrations.` : 'Everything is up to date.',
        );
      }),
    );
}
