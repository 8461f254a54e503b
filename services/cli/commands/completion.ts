import { Argument, type Command } from 'commander';
import { completionScripts } from '../completion/scripts.ts';
import { completionsOf } from '../completion/words.ts';
import { command, printResult } from '../run-command.ts';

/** Adds `fieldstone completion`. The program must have all commands. */
export function register(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .description('print a script that completes commands and options in a shell')
    .option('--json', 'print JSON')
    .action(
      command(async (shell: string, { json }: { json?: boolean }) => {
        const script = completionScripts[shell]!(completionsOf(program));
        printResult({ shell, script }, json, () => script.trimEnd());
      }),
    );
}
