import { type Command, Option } from 'commander';
import { formatTimestamp } from '../../core/timestamp.ts';
import { createUser, listUsers, setUserActive, type User } from '../../features/users/index.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { command, printResult } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

const roles: User['role'][] = ['admin', 'member'];

const present = ({ id, email, role, active, created_at }: User) => ({
  id,
  email,
  role,
  active,
  created_at: formatTimestamp(created_at),
});
const describe = (user: { email: string; role: string; active: boolean }) =>
  `${user.email}  ${user.role}  ${user.active ? 'active' : 'deactivated'}`;

/** Adds `fieldstone users create|list|deactivate|activate`. */
export function register(program: Command): void {
  const users = program.command('users').description('people who own keys');
  const add = (name: string, description: string) => addCommand(users, name, description);

  add('create <email>', 'make a user')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).default('member'))
    .action(
      command(async (email: string, options: CommonOptions & { role: User['role'] }) => {
        const user = await withDatabase(options.data, ({ db }) => createUser(db, email, options.role));
        printResult(present(user), options.json, describe);
      }),
    );

  add('list', 'list users, newest first').action(
    command(async (options: CommonOptions) => {
      const found = await withDatabase(options.data, ({ db }) => listUsers(db));
      printResult(found.map(present), options.json, (all) => all.map(describe).join('\n'));
    }),
  );

  for (const [name, active] of [
    ['deactivate', false],
    ['activate', true],
  ] as const) {
    add(`${name} <email>`, active ? "accept the user's keys again" : "refuse the user's keys from now on").action(
      command(async (email: string, options: CommonOptions) => {
        const user = await withDatabase(options.data, ({ db }) => setUserActive(db, email, active));
        printResult(present(user), options.json, describe);
      }),
    );
  }
}
