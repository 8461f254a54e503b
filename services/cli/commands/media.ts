import { openAsBlob } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Schemas } from '../../client/index.ts';
import { readLimit } from '../range-options.ts';
import { addRemoteCommand, type ConnectionOptions, openClient, requireConnection } from '../remote/connection.ts';
import { take } from '../remote/take.ts';
import { CliError, command, printable, printResult } from '../run-command.ts';

type Media = Schemas['Media'];

const describe = ({ id, status, kind, bytes, filename, url }: Media) =>
  printable(`${id}  ${status}  ${kind}  ${bytes} bytes  ${filename}  ${url}`);

async function list(site: string, options: ConnectionOptions & { kind?: string; limit?: string }): Promise<void> {
  const most = readLimit(options, 'media items');
  const client = openClient(await requireConnection(options));
  const query = options.kind === undefined ? {} : { kind: options.kind };
  const items = await take(client.list('listMedia', { site, query }), most);
  printResult(items, options.json, (all) => all.map(describe).join('\n') || 'The site has no such media items.');
}

/** Returns the form of a file, which is read from the disk while it is sent. Throws a CliError `not_found`. */
async function formOf(file: string, alt: string | undefined, decorative: boolean): Promise<FormData> {
  const bytes = await openAsBlob(file).catch((cause: unknown) => {
    throw new CliError(`The file ${file} cannot be read.`, { code: 'not_found', cause });
  });
  const form = new FormData();
  if (alt !== undefined) form.set('alt', alt);
  if (decorative) form.set('decorative', 'true');
  form.set('file', bytes, path.basename(file));
  return form;
}

async function upload(
  site: string,
  source: string,
  { alt, decorative = false, ...options }: ConnectionOptions & { alt?: string; decorative?: boolean },
): Promise<void> {
  const isUrl = /^https?:\/\//.test(source);
  const members = { ...(alt === undefined ? {} : { alt }), ...(decorative ? { decorative } : {}) };
  const body = isUrl ? { url: source, ...members } : await formOf(source, alt, decorative);
  const client = openClient(await requireConnection(options));
  const { data } = await client.call('uploadMedia', { site, body });
  printResult(data, options.json, describe);
}

/** Adds `fieldstone media list|upload`. */
export function register(program: Command): void {
  const media = program.command('media').description('the media library of a site, over REST');
  addRemoteCommand(media, 'list <site>', 'list media items, newest first')
    .option('--kind <list>', 'only these kinds, comma-separated: image, video, file')
    .option('--limit <number>', 'at most this number; 100 when absent')
    .action(command(list));
  addRemoteCommand(media, 'upload <site> <file>', 'upload a file, or import the file of an http(s) URL')
    .option('--alt <text>', 'alternative text; required for an image that is not decorative')
    .option('--decorative', 'the image is decorative')
    .action(command(upload));
}
