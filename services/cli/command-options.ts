import type { Command } from 'commander';

/** What every command that talks to the engines takes. */
export interface CommonOptions {
  data?: string;
  json?: boolean;
}

/** Adds a subcommand with the options that all have. */
export function addCommand(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .option('--data <dir>', 'data folder of the running service')
    .option('--json', 'print JSON');
}
