import { type Command, Option } from 'commander';
import { everySite, isSiteRole, siteRoles } from '../../core/roles.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import {
  createUser,
  listMembers,
  type Member,
  removeSiteRole,
  setAdministrator,
  setSiteRole,
  setUserActive,
} from '../../features/users/index.ts';
import { auditing, changeOf } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { addLinkCommands } from '../users/links.ts';
import { type CommandContext, withDatabase } from '../with-database.ts';

interface RoleOptions extends CommonOptions {
  role?: string;
  site?: string;
}

const presentUser = ({ id, email, role, active, roles, created_at }: Member) => ({
  id,
  email,
  role,
  active,
  roles,
  created_at: formatTimestamp(created_at),
});

function describeRoles({ role, roles }: Pick<Member, 'role' | 'roles'>): string {
  if (role === 'admin') return 'administrator';
  if (roles === null) return 'no role yet: only scopes and sites limit the keys';
  if (roles.length === 0) return 'no role';
  return roles.map(({ site, role: name, team }) => `${name} of ${site}${team ? ` (team ${team})` : ''}`).join(', ');
}

const describe = (user: Pick<Member, 'email' | 'active' | 'role' | 'roles'>) =>
  `${user.email}  ${user.active ? 'active' : 'deactivated'}  ${describeRoles(user)}`;

/** Prints a user after a change. */
async function printUser({ db }: CommandContext, email: string, json: boolean | undefined): Promise<void> {
  const user = (await listMembers(db)).find((one) => one.email === email.toLowerCase())!;
  printResult(presentUser(user), json, describe);
}

const wrongUsage = (message: string) => new CliError(message, { code: 'usage' });

type Wanted = ReturnType<typeof readRole>;

const nameOfRole = (wanted: Wanted) =>
  typeof wanted === 'object' ? ` (${wanted.role} of ${wanted.site})` : wanted ? ` (${wanted})` : '';

/** Returns a change of a user for the audit log, named by the e-mail address and the role. */
const userChange = (command: string, email: string, role = '') =>
  changeOf(`users.${command}`, 'users', null, `${email.toLowerCase()}${role}`);

/** Interprets `--role` and `--site` together: an administrator, a role on a site, or nothing. */
function readRole({ role, site }: RoleOptions) {
  if (role !== undefined && isSiteRole(role)) {
    if (site === undefined) throw wrongUsage(`--role ${role} needs --site, or --site '${everySite}' for every site.`);
    return { site, role };
  }
  if (site !== undefined) throw wrongUsage(`--site needs --role ${siteRoles.join(', ')}.`);
  return role === 'admin' ? ('administrator' as const) : undefined;
}

async function create(email: string, options: RoleOptions): Promise<void> {
  const wanted = readRole(options);
  await withDatabase(options.data, async (context) => {
    await auditing(context.db, userChange('create', email, nameOfRole(wanted))).transaction(async (tx) => {
      await createUser(tx, email, wanted === 'administrator' ? 'admin' : 'member');
      if (typeof wanted === 'object') await setSiteRole(tx, email, wanted.site, wanted.role);
    });
    await printUser(context, email, options.json);
  });
}

async function grant(email: string, options: RoleOptions): Promise<void> {
  const wanted = readRole(options);
  if (!wanted) throw wrongUsage('Say what to grant: --role admin, or --site and --role.');
  await withDatabase(options.data, async (context) => {
    await auditing(context.db, userChange('grant', email, nameOfRole(wanted))).transaction((tx) =>
      wanted === 'administrator' ? setAdministrator(tx, email, true) : setSiteRole(tx, email, wanted.site, wanted.role),
    );
    await printUser(context, email, options.json);
  });
}

async function revoke(email: string, { site, role, ...options }: RoleOptions): Promise<void> {
  if ((site === undefined) === (role === undefined)) throw wrongUsage('Say what to revoke: --role admin, or --site.');
  await withDatabase(options.data, async (context) => {
    const lost = ` (${site ?? 'administrator'})`;
    await auditing(context.db, userChange('revoke', email, lost)).transaction((tx) =>
      site === undefined ? setAdministrator(tx, email, false) : removeSiteRole(tx, email, site),
    );
    await printUser(context, email, options.json);
  });
}

const setActive = (active: boolean) => async (email: string, options: CommonOptions) => {
  await withDatabase(options.data, async (context) => {
    const change = userChange(active ? 'activate' : 'deactivate', email);
    await auditing(context.db, change).transaction((tx) => setUserActive(tx, email, active));
    await printUser(context, email, options.json);
  });
};

/** Adds `fieldstone users create|list|grant|revoke|deactivate|activate`. */
export function register(program: Command): void {
  const users = program.command('users').description('people who own keys, and their roles');
  const add = (name: string, description: string) => addCommand(users, name, description);
  const onSite = `a slug, or '${everySite}' for every site`;

  add('create <email>', 'make a user')
    .addOption(new Option('--role <role>', 'role of the user').choices(['admin', 'member', ...siteRoles]))
    .option('--site <site>', onSite)
    .action(command(create));
  add('list', 'list users and their roles, newest first').action(
    command(async (options: CommonOptions) => {
      const found = await withDatabase(options.data, ({ db }) => listMembers(db));
      printResult(found.map(presentUser), options.json, (all) => all.map(describe).join('\n'));
    }),
  );
  add('grant <email>', 'give a user a role on a site, or make them an administrator')
    .addOption(new Option('--role <role>', 'the role').choices(['admin', ...siteRoles]))
    .option('--site <site>', onSite)
    .action(command(grant));
  add('revoke <email>', "remove a user's role on a site, or the administrator's")
    .addOption(new Option('--role <role>', 'no longer an administrator').choices(['admin']))
    .option('--site <site>', onSite)
    .action(command(revoke));
  addLinkCommands(add, onSite);
  add('deactivate <email>', "reject the user's keys and end the user's sessions, from now on").action(
    command(setActive(false)),
  );
  add('activate <email>', "accept the user's keys again").action(command(setActive(true)));
}
