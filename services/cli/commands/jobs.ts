import type { Command } from 'commander';
import type { Schemas } from '../../client/index.ts';
import { readLimit } from '../range-options.ts';
import { addRemoteCommand, type ConnectionOptions, openClient, requireConnection } from '../remote/connection.ts';
import { take } from '../remote/take.ts';
import { command, printable, printResult } from '../run-command.ts';

const describe = ({ uuid, created_at, kind, status, error }: Schemas['Job']) =>
  printable(`${uuid}  ${created_at}  ${kind}  ${status}${error ? `  ${error.message}` : ''}`);

async function list(site: string, options: ConnectionOptions & { limit?: string }): Promise<void> {
  const most = readLimit(options, 'jobs');
  const client = openClient(await requireConnection(options));
  const jobs = await take(client.list('listJobs', { site }), most);
  printResult(jobs, options.json, (all) => all.map(describe).join('\n') || 'The site has no jobs.');
}

/** Adds `fieldstone jobs list`. */
export function register(program: Command): void {
  const jobs = program.command('jobs').description('jobs of a site, over REST');
  addRemoteCommand(jobs, 'list <site>', 'list jobs, newest first')
    .option('--limit <number>', 'at most this number; 100 when absent')
    .action(command(list));
}
