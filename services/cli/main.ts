import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { toSentence } from './run-command.ts';

type Group = { register(program: Command): void };

/** Exit code (contract: Processes, settings and CLI). */
const wrongUsage = 2;

const loadPublishing = () => import('./commands/publishing.ts');
const loadRoles = () => import('./commands/roles.ts');

/** Every command and the file that adds it. Only the one that was asked for is loaded: `up` lives long and should stay small. */
const groups: Record<string, () => Promise<Group>> = {
  up: () => import('./commands/up.ts'),
  gateway: loadRoles,
  worker: loadRoles,
  edge: loadRoles,
  migrate: () => import('./commands/migrate.ts'),
  doctor: () => import('./commands/doctor.ts'),
  keys: () => import('./commands/keys.ts'),
  users: () => import('./commands/users.ts'),
  teams: () => import('./commands/teams.ts'),
  webhooks: () => import('./commands/webhooks.ts'),
  events: () => import('./commands/events.ts'),
  shell: () => import('./commands/shell.ts'),
  secrets: () => import('./commands/secrets.ts'),
  publish: loadPublishing,
  releases: loadPublishing,
  backups: () => import('./commands/backups.ts'),
  engines: () => import('./commands/engines.ts'),
  objects: () => import('./commands/objects.ts'),
};

/** `error: unknown command 'x'` as a sentence. */
function describeUsageError(text: string): string {
  const message = toSentence(text).replace(/^error: /, '');
  return `${message[0]?.toUpperCase()}${message.slice(1).replace(/\.$/, '')}; see fieldstone --help.\n`;
}

const program = new Command('fieldstone')
  .description('A self-hosted site publishing service.')
  .version(packageJson.version, '--version', 'print the version')
  .configureOutput({ outputError: (text, write) => write(describeUsageError(text)) })
  .enablePositionalOptions()
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : wrongUsage));
const asked = Object.hasOwn(groups, process.argv[2] ?? '') ? groups[process.argv[2]!] : undefined;
for (const load of asked ? [asked] : new Set(Object.values(groups))) (await load()).register(program);
await program.parseAsync();
