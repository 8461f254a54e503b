import type { Command } from 'commander';
import { addRemoteCommand, type ConnectionOptions, openClient, requireConnection } from '../remote/connection.ts';
import { take } from '../remote/take.ts';
import { command, printable, printResult } from '../run-command.ts';

async function list(site: string, options: ConnectionOptions): Promise<void> {
  const client = openClient(await requireConnection(options));
  const redirects = await take(client.list('listRedirects', { site }), Number.POSITIVE_INFINITY);
  printResult(
    redirects,
    options.json,
    (all) =>
      all.map(({ id, from, to, status }) => printable(`${id}  ${status}  ${from}  ${to}`)).join('\n') ||
      'The site has no redirects.',
  );
}

/** Adds `fieldstone redirects list`. */
export function register(program: Command): void {
  const redirects = program.command('redirects').description('redirects of a site, over REST');
  addRemoteCommand(redirects, 'list <site>', 'list redirects, newest first').action(command(list));
}
