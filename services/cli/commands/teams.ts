import { Argument, type Command, Option } from 'commander';
import { type SiteRole, siteRoles } from '../../core/roles.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  listTeams,
  removeTeamMember,
  setTeamRole,
  setTeamSites,
  type Team,
} from '../../features/users/index.ts';
import { auditing, changeOf } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { command, printResult, splitList } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

const describe = ({ slug, name, sites, role, members }: Team) =>
  `${slug}  ${name}  ${role ?? 'no role'} on [${sites.join(', ')}]  members: ${members.join(', ') || 'none'}`;

/** Adds `fieldstone teams create|list|sites|role|add|remove|delete`. */
export function register(program: Command): void {
  const teams = program.command('teams').description('make users members of sites, with a role');
  const add = (name: string, description: string) => addCommand(teams, name, description);

  add('create <name>', 'make a team')
    .option('--sites <list>', "site slugs, comma-separated, or '*'", '')
    .addOption(new Option('--role <role>', 'role of its members on its sites').choices(siteRoles))
    .action(
      command(async (name: string, options: CommonOptions & { sites: string; role?: SiteRole }) => {
        const team = await withDatabase(options.data, ({ db }) =>
          auditing<Team>(db, ({ slug }) => changeOf('teams.create', 'teams', slug)()).transaction((tx) =>
            createTeam(tx, name, splitList(options.sites), options.role),
          ),
        );
        printResult(team, options.json, describe);
      }),
    );
  add('list', 'list teams, newest first').action(
    command(async (options: CommonOptions) => {
      const all = await withDatabase(options.data, ({ db }) => listTeams(db));
      printResult(all, options.json, (found) => found.map(describe).join('\n') || 'There is no team yet.');
    }),
  );
  add('sites <team> <list>', 'set the sites of a team').action(
    command(async (team: string, list: string, options: CommonOptions) => {
      const changed = await withDatabase(options.data, ({ db }) =>
        auditing(db, changeOf('teams.sites', 'teams', team, list)).transaction((tx) =>
          setTeamSites(tx, team, splitList(list)),
        ),
      );
      printResult(changed, options.json, describe);
    }),
  );
  add('role <team>', 'set the role of the members of a team on its sites')
    .addArgument(new Argument('<role>').choices(siteRoles))
    .action(
      command(async (team: string, role: SiteRole, options: CommonOptions) => {
        const changed = await withDatabase(options.data, ({ db }) =>
          auditing(db, changeOf('teams.role', 'teams', team, role)).transaction((tx) => setTeamRole(tx, team, role)),
        );
        printResult(changed, options.json, describe);
      }),
    );
  for (const [name, change, description] of [
    ['add', addTeamMember, 'add a user to a team'],
    ['remove', removeTeamMember, 'remove a user from a team'],
  ] as const) {
    add(`${name} <team> <email>`, description).action(
      command(async (team: string, email: string, options: CommonOptions) => {
        const changed = await withDatabase(options.data, ({ db }) =>
          auditing(db, changeOf(`teams.${name}`, 'teams', team, email)).transaction((tx) => change(tx, team, email)),
        );
        printResult(changed, options.json, describe);
      }),
    );
  }
  add('delete <team>', 'delete a team; its users and sites stay').action(
    command(async (team: string, options: CommonOptions) => {
      await withDatabase(options.data, ({ db }) =>
        auditing(db, changeOf('teams.delete', 'teams', team)).transaction((tx) => deleteTeam(tx, team)),
      );
      printResult({ slug: team, deleted: true }, options.json, () => `Team ${team} is deleted.`);
    }),
  );
}
