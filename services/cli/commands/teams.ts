import type { Command } from 'commander';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  listTeams,
  removeTeamMember,
  setTeamSites,
  type Team,
} from '../../features/users/index.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { command, printResult, splitList } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

const describe = ({ slug, name, sites, members }: Team) =>
  `${slug}  ${name}  on [${sites.join(', ')}]  members: ${members.join(', ') || 'none'}`;

/** Adds `fieldstone teams create|list|sites|add|remove|delete`. */
export function register(program: Command): void {
  const teams = program.command('teams').description('make users members of sites');
  const add = (name: string, description: string) => addCommand(teams, name, description);

  add('create <name>', 'make a team')
    .option('--sites <list>', "site slugs, comma-separated, or '*'", '')
    .action(
      command(async (name: string, options: CommonOptions & { sites: string }) => {
        const team = await withDatabase(options.data, ({ db }) => createTeam(db, name, splitList(options.sites)));
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
      const changed = await withDatabase(options.data, ({ db }) => setTeamSites(db, team, splitList(list)));
      printResult(changed, options.json, describe);
    }),
  );
  for (const [name, change, description] of [
    ['add', addTeamMember, 'add a user to a team'],
    ['remove', removeTeamMember, 'take a user out of a team'],
  ] as const) {
    add(`${name} <team> <email>`, description).action(
      command(async (team: string, email: string, options: CommonOptions) => {
        const changed = await withDatabase(options.data, ({ db }) => change(db, team, email));
        printResult(changed, options.json, describe);
      }),
    );
  }
  add('delete <team>', 'delete a team; its users and sites stay').action(
    command(async (team: string, options: CommonOptions) => {
      await withDatabase(options.data, ({ db }) => deleteTeam(db, team));
      printResult({ slug: team, deleted: true }, options.json, () => `Team ${team} is deleted.`);
    }),
  );
}
