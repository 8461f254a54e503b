import type { Command } from 'commander';
import type { Schemas } from '../../client/index.ts';
import { type MemberOptions, readMembers } from '../content/members.ts';
import { readLimit } from '../range-options.ts';
import { addRemoteCommand, type ConnectionOptions, openClient, requireConnection } from '../remote/connection.ts';
import { take } from '../remote/take.ts';
import { command, printable, printResult } from '../run-command.ts';

type Item = Schemas['Content'];
type Filters = Partial<Record<'status' | 'type' | 'locale' | 'tag' | 'q' | 'limit', string>>;

/** The members that a list shows. */
const listed = ['type', 'title', 'slug', 'locale', 'status', 'url', 'updated_at'] as const;

const connect = async (options: ConnectionOptions) => openClient(await requireConnection(options));

async function list(site: string, { limit, ...options }: ConnectionOptions & Filters): Promise<void> {
  const most = readLimit({ ...(limit === undefined ? {} : { limit }) }, 'items');
  const { status, type, locale, tag, q } = options;
  const filters = Object.entries({ status, type, locale, tag, q }).filter(([, value]) => value !== undefined);
  const query = { ...(Object.fromEntries(filters) as { status?: Item['status'] }), fields: listed };
  const client = await connect(options);
  const items = await take(client.list('listContent', { site, query }), most);
  printResult(
    items,
    options.json,
    (all) =>
      all
        .map((item) =>
          printable(`${item.id}  ${item.status}  ${item.type}  ${item.locale}  ${item.slug}  ${item.title}`),
        )
        .join('\n') || 'The site has no such items.',
  );
}

/** Renders an item as text: its members line by line, then the body. */
function describe({ body_html, warnings, ...members }: Item): string {
  const lines = Object.entries(members).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const warned = warnings.map(({ message }) => `warning: ${message}`);
  return [...[...lines, ...warned].map(printable), '', ...body_html.split('\n').map(printable)].join('\n');
}

async function show(site: string, id: string, options: ConnectionOptions): Promise<void> {
  const { data } = await (await connect(options)).call('getContent', { site, id });
  printResult(data, options.json, describe);
}

const describeStored = ({ id, status, slug, warnings }: Item) =>
  [...warnings.map(({ message }) => `warning: ${message}`), `${id}  ${status}  ${slug}`].map(printable).join('\n');

async function create(site: string, options: ConnectionOptions & MemberOptions): Promise<void> {
  const body = (await readMembers(options)) as Schemas['CreateContentBody'];
  const { data } = await (await connect(options)).call('createContent', { site, body });
  printResult(data, options.json, describeStored);
}

async function update(site: string, id: string, options: ConnectionOptions & MemberOptions): Promise<void> {
  const body = (await readMembers(options)) as Schemas['UpdateContentBody'];
  const { data } = await (await connect(options)).call('updateContent', { site, id, body });
  printResult(data, options.json, describeStored);
}

function addMemberOptions(to: Command): Command {
  return to
    .option('--from <file>', "JSON file with the item's members; - reads standard input")
    .option('--title <text>', 'title')
    .option('--body <file>', 'file with the body: HTML (.html) or Markdown (.md)')
    .option('--type <type>', 'type, such as post or page')
    .option('--slug <slug>', 'slug')
    .option('--locale <locale>', 'locale')
    .option('--status <status>', 'draft, scheduled, published or archived')
    .option('--scheduled-at <time>', 'UTC time of publishing, with the status scheduled')
    .option('--excerpt <text>', 'excerpt')
    .option('--tags <list>', 'tags, comma-separated');
}

/** Adds `fieldstone content list|show|create|update`. */
export function register(program: Command): void {
  const content = program.command('content').description('content items of a site, over REST');
  addRemoteCommand(content, 'list <site>', 'list items, newest first')
    .option('--status <status>', 'only items with this status')
    .option('--type <type>', 'only items of this type')
    .option('--locale <locale>', 'only items in this locale')
    .option('--tag <tag>', 'only items with this tag')
    .option('--q <text>', 'only items that contain this text')
    .option('--limit <number>', 'at most this number; 100 when absent')
    .action(command(list));
  addRemoteCommand(content, 'show <site> <id>', 'show an item').action(command(show));
  addMemberOptions(addRemoteCommand(content, 'create <site>', 'create an item; nothing is published')).action(
    command(create),
  );
  addMemberOptions(
    addRemoteCommand(content, 'update <site> <id>', 'change the named members of an item; nothing is published'),
  ).action(command(update));
}
