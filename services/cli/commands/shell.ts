import type { Command } from 'commander';
import { addCommand, type CommonOptions } from '../command-options.ts';
import {
  addConnectionOptions,
  addRemoteCommand,
  type ConnectionOptions,
  chooseConnection,
  openClient,
  requireConnection,
} from '../remote/connection.ts';
import { CliError, command, printable, printResult } from '../run-command.ts';
import { runDev } from '../shell/dev/run.ts';
import { diffShell, type FolderDifference, type Pulled, pullShell } from '../shell/pull.ts';
import { type Pushed, pushLocally, pushRemotely } from '../shell/push.ts';
import { requireFolder } from '../shell/theme.ts';
import { withDatabase } from '../with-database.ts';

function describePushed({ files, added, changed, removed, snapshot, job, warnings }: Pushed): string {
  const lines = warnings.map(({ message }) => `warning: ${printable(message)}`);
  if (snapshot === null) return [...lines, `All ${files} files were there already.`].join('\n');
  const done = `${added} added, ${changed} changed, ${removed} removed; the shell before is snapshot ${snapshot}, the preview is job ${job}.`;
  return [...lines, done].join('\n');
}

async function push(
  site: string,
  place: string,
  options: CommonOptions & ConnectionOptions & { merge?: boolean },
): Promise<void> {
  const mode = options.merge ? 'merge' : 'replace';
  const connection = await chooseConnection(options);
  const pushed = connection
    ? await pushRemotely(openClient(connection), site, place, mode)
    : await withDatabase(options.data, (context) => pushLocally(context, site, place, mode));
  printResult(pushed, options.json, describePushed);
}

function describePulled({ files, written, removed, kept }: Pulled): string {
  const lines = [
    ...written.map((name) => `written: ${name}`),
    ...removed.map((name) => `removed: ${name}`),
    ...kept.map((name) => `not in the shell: ${name}`),
  ];
  return [...lines, `${written.length} of ${files} files differed and are written.`].map(printable).join('\n');
}

async function pull(site: string, folder: string, options: ConnectionOptions & { delete?: boolean }): Promise<void> {
  const client = openClient(await requireConnection(options));
  printResult(await pullShell(client, site, folder, options.delete ?? false), options.json, describePulled);
}

function describeDifference({ path, change, diff, diff_omitted }: FolderDifference): string {
  if (diff === null) return `${change}: ${printable(path)} (no diff: ${diff_omitted})`;
  return diff.trimEnd().split('\n').map(printable).join('\n');
}

async function diff(site: string, folder: string, options: ConnectionOptions): Promise<void> {
  const differences = await diffShell(openClient(await requireConnection(options)), site, folder);
  const none = 'The folder has the same files as the shell.';
  printResult(differences, options.json, (all) => all.map(describeDifference).join('\n') || none);
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CliError(`--port takes a number from 0 to 65535, not "${text}".`, { code: 'usage' });
}

async function dev(site: string, folder: string, options: ConnectionOptions & { port: string }): Promise<void> {
  const port = readPort(options.port);
  const client = openClient(await requireConnection(options));
  await requireFolder(folder);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const onReady = (url: string) =>
    printResult({ url }, options.json, () => `The site with the theme of ${folder}: ${url}`);
  await runDev(client, { site, folder, port, onReady, signal: stop.signal });
}

/** Adds `fieldstone shell push|pull|diff|dev`. */
export function register(program: Command): void {
  const shell = program.command('shell').description("a site's theme");
  addConnectionOptions(
    addCommand(shell, 'push <site> <theme>', 'make a folder, tar or zip the shell of a site, and build its preview'),
  )
    .option('--merge', 'keep the files that the theme lacks')
    .action(command(push));
  addRemoteCommand(shell, 'pull <site> <folder>', 'write the shell of a site into a folder')
    .option('--delete', 'remove files of the folder that the shell does not have')
    .action(command(pull));
  addRemoteCommand(shell, 'diff <site> <folder>', 'what a push of the folder would change').action(command(diff));
  addRemoteCommand(shell, 'dev <site> <folder>', 'show a site with the theme of a folder, and reload it on each change')
    .option('--port <port>', 'port of the page on this machine; 0 is a free one', '8090')
    .action(command(dev));
}
