import type { Command } from 'commander';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { prepareEngines } from '../prepare-engines.ts';
import { command, printResult } from '../run-command.ts';
import { loadCommandConfig } from '../settings.ts';

/** Adds `fieldstone migrate`: schema, first administrator and bucket; safe to run again and concurrently. */
export function register(program: Command): void {
  addCommand(program, 'migrate', 'update the database and the object store to this release').action(
    command(async (options: CommonOptions) => {
      const migrations = await prepareEngines(loadCommandConfig(options.data));
      printResult({ migrations }, options.json, (result) =>
        result.migrations.length > 0 ? `Ran ${result.migrations.length} migrations.` : 'Everything is up to date.',
      );
    }),
  );
}
