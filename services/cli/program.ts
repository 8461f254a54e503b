import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { asksForJson } from './run-command.ts';

type Group = { register(program: Command): void };

const loadPublishing = () => import('./commands/publishing.ts');
const loadRoles = () => import('./commands/roles.ts');

/**
 * Every command group and the file that adds it. Only the requested one is loaded, because `up` runs for a long time
 * and should stay small.
 */
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
  audit: () => import('./commands/audit.ts'),
  shell: () => import('./commands/shell.ts'),
  secrets: () => import('./commands/secrets.ts'),
  publish: loadPublishing,
  releases: loadPublishing,
  login: () => import('./commands/login.ts'),
  content: () => import('./commands/content.ts'),
  media: () => import('./commands/media.ts'),
  redirects: () => import('./commands/redirects.ts'),
  jobs: () => import('./commands/jobs.ts'),
  completion: () => import('./commands/completion.ts'),
  profiles: () => import('./commands/profiles.ts'),
  backups: () => import('./commands/backups.ts'),
  engines: () => import('./commands/engines.ts'),
  objects: () => import('./commands/objects.ts'),
};

/**
 * Creates the program with the commands of the group that the arguments name, or with all of them. Commander's errors
 * are thrown; nothing is printed before.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('fieldstone')
    .description('A self-hosted site publishing service.')
    .version(packageJson.version, '--version', 'print the version')
    .configureOutput({ outputError: () => undefined, ...(asksForJson(args) ? { writeErr: () => undefined } : {}) })
    .enablePositionalOptions()
    .exitOverride();
  const [name = ''] = args;
  // the completion describes all commands
  const requested = Object.hasOwn(groups, name) && name !== 'completion' ? groups[name] : undefined;
  for (const load of requested ? [requested] : new Set(Object.values(groups))) (await load()).register(program);
  return program;
}
