import { type Command, Option } from 'commander';
import { addCommand, type CommonOptions } from '../command-options.ts';
import type { WantedEngines } from '../engines/set-engines.ts';
import { CliError, command, printResult } from '../run-command.ts';

async function set({ actors, objects, data, json }: CommonOptions & WantedEngines): Promise<void> {
  if (!actors && !objects) throw new CliError('Choose what to set: --actors, --objects or both.', { code: 'usage' });
  const [{ setEngines }, { withInstallation }] = await Promise.all([
    import('../engines/set-engines.ts'),
    import('../installation.ts'),
  ]);
  await withInstallation(data, process.env, async (installation) => {
    printResult(await setEngines(installation, { actors, objects }), json, (result) =>
      [
        `The installation ${result.changed ? 'now uses' : 'uses'} actors: ${result.actors}, objects: ${result.objects}.`,
        ...result.next,
      ].join('\n'),
    );
  });
}

/** Adds `fieldstone engines set`. */
export function register(program: Command): void {
  const engines = program.command('engines').description('the engines that an installation uses');
  addCommand(engines, 'set', 'switch an installation whose service is stopped to other engines')
    .addOption(new Option('--actors <engine>', 'the runtime of the actors').choices(['embedded', 'temporal']))
    .addOption(new Option('--objects <engine>', 'where objects are stored').choices(['files', 's3']))
    .action(command(set));
}
