import type { Command } from 'commander';
import { addRemoteCommand, type ConnectionOptions, requireConnection } from '../remote/connection.ts';
import { profilesPath, readProfiles, removeProfile, saveProfile } from '../remote/profiles.ts';
import { command, printResult } from '../run-command.ts';

async function save(name: string, options: ConnectionOptions): Promise<void> {
  const connection = await requireConnection(options);
  await saveProfile(name, connection);
  const saved = { name, url: connection.url };
  printResult(saved, options.json, () => `Profile ${name} is kept in ${profilesPath()}.`);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const profiles = [...(await readProfiles())].map(([name, { url }]) => ({ name, url }));
  printResult(profiles, json, (all) => all.map(({ name, url }) => `${name}  ${url}`).join('\n') || 'No profiles yet.');
}

async function remove(name: string, { json }: { json?: boolean }): Promise<void> {
  await removeProfile(name);
  printResult(
    { name, removed: true },
    json,
    () => `Profile ${name} is removed; its key stays valid until it is revoked.`,
  );
}

/** Adds `fieldstone profiles save|list|remove`. */
export function register(program: Command): void {
  const profiles = program.command('profiles').description('services and API keys that commands use over REST');
  addRemoteCommand(profiles, 'save <name>', 'keep --url and --key in a file that only you can read').action(
    command(save),
  );
  profiles
    .command('list')
    .description('list the profiles, without keys')
    .option('--json', 'print JSON')
    .action(command(list));
  profiles
    .command('remove <name>')
    .description('remove a profile')
    .option('--json', 'print JSON')
    .action(command(remove));
}
