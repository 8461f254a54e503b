import type { Command } from 'commander';
import { requireId } from '../../core/ids.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { createProgressDisplay } from '../progress.ts';
import type { PublishingCalls } from '../publishing/calls.ts';
import { localPublishing } from '../publishing/local.ts';
import { remotePublishing } from '../publishing/remote.ts';
import { addConnectionOptions, type ConnectionOptions, chooseConnection, openClient } from '../remote/connection.ts';
import { command, printable, printResult } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

type Options = CommonOptions & ConnectionOptions;

async function withPublishing<T>(options: Options, work: (calls: PublishingCalls) => Promise<T>): Promise<T> {
  const connection = await chooseConnection(options);
  if (connection) return work(remotePublishing(openClient(connection)));
  return withDatabase(options.data, (context) => work(localPublishing(context)));
}

async function publish(site: string, options: Options & { wait?: boolean }): Promise<void> {
  const display = createProgressDisplay(options.json);
  const { job, status, result } = await withPublishing(options, (calls) =>
    calls.publish(site, options.wait ? display.show : undefined),
  ).finally(display.end);
  if (!result) return printResult({ job }, options.json, () => `Queued as job ${job}.`);
  const { url, warnings = [] } = result;
  if (!options.json) for (const { message } of warnings) process.stderr.write(`Warning: ${printable(message)}\n`);
  printResult({ job, status, result }, options.json, () => url);
}

async function list(site: string, options: Options): Promise<void> {
  const releases = await withPublishing(options, (calls) => calls.list(site));
  printResult(
    releases,
    options.json,
    (all) =>
      all
        .map(
          (row) =>
            `${row.id}  ${row.created_at}  ${row.pages} pages, ${row.changed} changed${row.live ? '  live' : ''}`,
        )
        .join('\n') || 'Nothing has been published yet.',
  );
}

async function rollback(site: string, release: string, options: Options): Promise<void> {
  const id = await withPublishing(options, (calls) => calls.rollBack(site, release));
  printResult({ id, live: true }, options.json, () => `Release ${id} is live again.`);
}

/** Renders a reason as one line: its kind and what it names. */
const describeReason = ({ kind, ...named }: Record<string, unknown>) =>
  printable([kind, ...Object.entries(named).map(([name, value]) => `${name}=${value}`)].join(' '));

async function why(site: string, path: string, options: Options & { release?: string }): Promise<void> {
  const release = options.release === undefined ? undefined : requireId(options.release, 'release');
  const found = await withPublishing(options, (calls) => calls.why(site, path, release));
  printResult(found, options.json, ({ rendered, reasons }) => {
    const first = { true: 'rendered', false: 'reused', null: 'not known: the release is too old' }[`${rendered}`];
    return [first, ...reasons.map((reason) => `  ${describeReason(reason as Record<string, unknown>)}`)].join('\n');
  });
}

/** Adds `fieldstone publish` and `fieldstone releases list|rollback|why`. */
export function register(program: Command): void {
  const add = (group: Command, name: string, description: string) =>
    addConnectionOptions(addCommand(group, name, description));
  add(program, 'publish <site>', 'publish a site')
    .option('--wait', 'show progress and print the live URL')
    .action(command(publish));
  const releases = program.command('releases').description('live and earlier releases of a site');
  add(releases, 'list <site>', 'list the releases of a site, newest first').action(command(list));
  add(releases, 'rollback <site> <release>', 'make an earlier release live again, without a build').action(
    command(rollback),
  );
  add(releases, 'why <site> <path>', 'why a page of the live release was rendered or reused')
    .option('--release <id>', 'of an earlier release')
    .action(command(why));
}
