import type { Command } from 'commander';

/** Options of every command that uses the engines. */
export interface CommonOptions {
  data?: string;
  json?: boolean;
}

/** Adds a subcommand with the common options. */
export function addCommand(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .option('--data <dir>', 'data folder of the running service')
    .option('--json', 'print JSON');
}
