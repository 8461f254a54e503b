import type { Command } from 'commander';
import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { readWholePage } from '../../core/large-list.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import {
  type EndpointRow,
  type EventRecord,
  endpointSecrets,
  eventStatuses,
  presentEndpoint,
  presentEvent,
  replayEvent,
  requireEvent,
  rotateEndpoint,
  selectAllEndpoints,
  selectEndpointById,
  selectEvents,
  sendTestEvent,
  updateEndpoint,
} from '../../features/events/index.ts';
import { selectSiteById } from '../../features/sites/index.ts';
import { auditedSite, auditing } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { addRangeOptions, pageSize, type RangeOptions, readLimit, readRange } from '../range-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { type CommandContext, requireSite, withDatabase } from '../with-database.ts';

interface EventRange extends RangeOptions {
  site?: string;
  endpoint?: string;
}

/** Selects a page of the events of a range, newest first; `page` counts from 1. */
async function selectRange(context: CommandContext, options: EventRange, page: number, perPage: number) {
  const endpoint = options.endpoint === undefined ? undefined : requireId(options.endpoint, 'endpoint');
  const query = { ...readRange(options, eventStatuses), endpoint, page, per_page: perPage };
  const site = options.site === undefined ? null : await requireSite(context, options.site);
  return readWholePage(await selectEvents(context.db, site?.id ?? null, query));
}

const describeEvent = (one: EventRecord) =>
  `${one.id}  ${one.created_at}  ${one.status.padEnd(9)}  ${one.type}${one.error ? `  ${one.error}` : ''}`;

async function list(options: EventRange): Promise<void> {
  const limit = readLimit(options, 'events');
  readRange(options, eventStatuses);
  const rows = await withDatabase(options.data, (context) => selectRange(context, options, 1, limit));
  printResult(
    rows.map(presentEvent),
    options.json,
    (all) => all.map(describeEvent).join('\n') || 'There is no such event.',
  );
}

async function show(id: string, options: CommonOptions): Promise<void> {
  const row = await withDatabase(options.data, ({ db }) => requireEvent(db, null, requireId(id, 'event')));
  printResult(presentEvent(row), options.json, (one) =>
    [
      describeEvent(one),
      ...one.log.map(
        ({ at, duration_ms, status, error }) => `  ${at}  ${duration_ms} ms  ${status ?? '-'}  ${error ?? 'delivered'}`,
      ),
      `payload: ${one.payload ? JSON.stringify(one.payload) : 'no longer kept'}`,
    ].join('\n'),
  );
}

/** Returns the named events, or a whole range, oldest first. */
async function chooseEvents(context: CommandContext, ids: string[], options: EventRange): Promise<string[]> {
  if (ids.length > 0) return ids.map((id) => requireId(id, 'event'));
  const chosen = [];
  for (let page = 1; ; page++) {
    const rows = await selectRange(context, options, page, pageSize);
    chosen.push(...rows.filter((row) => !row.purged_at).map((row) => row.id));
    if (rows.length < pageSize) return chosen.reverse();
  }
}

async function replayAll(ids: string[], options: EventRange): Promise<void> {
  const { status, since } = readRange(options, eventStatuses);
  if (ids.length === 0 && !status && !since)
    throw new CliError('Name events, or a range with --status or --since.', { code: 'usage' });
  const replayed = await withDatabase(options.data, async (context) => {
    const chosen = await chooseEvents(context, ids, options);
    for (const id of chosen) {
      const { site_id } = await requireEvent(context.db, null, id);
      const site = await auditedSite(context.db, site_id);
      const change = { operation: 'events.replay', site, target: { kind: 'events', id } };
      await auditing(context.db, () => change).transaction((tx) => replayEvent(tx, null, id));
    }
    return chosen;
  });
  printResult({ replayed }, options.json, () => `${replayed.length} events will be sent again.`);
}

function describeEndpoint(one: ReturnType<typeof presentEndpoint> & { site: string }): string {
  const state = one.enabled ? (one.failing_since ? `failing since ${one.failing_since}` : 'enabled') : 'disabled';
  return `${one.id}  ${one.site}  ${one.url}  ${state}  ${one.events.join(',')}${one.disabled_reason ? `  ${one.disabled_reason}` : ''}`;
}

async function listEndpoints(options: EventRange): Promise<void> {
  const rows = await withDatabase(options.data, ({ db }) => selectAllEndpoints(db, options.site ?? null));
  const records = rows.map((row) => ({ ...presentEndpoint(row), site: row.site_slug }));
  printResult(records, options.json, (all) => all.map(describeEndpoint).join('\n') || 'There is no endpoint yet.');
}

async function requireEndpointById({ db }: CommandContext, id: string): Promise<EndpointRow> {
  const row = await selectEndpointById(db, requireId(id, 'endpoint'));
  if (!row) throw notFound('endpoint');
  return row;
}

/** Returns the database for an audited change of an endpoint or of its events. */
async function auditingEndpoint({ db }: CommandContext, command: string, { id, site_id, url }: EndpointRow) {
  const site = await auditedSite(db, site_id);
  const target = { kind: 'event-endpoints', id, name: url };
  return auditing(db, () => ({ operation: `events.${command}`, site, target }));
}

async function secret(id: string, options: CommonOptions): Promise<void> {
  const shown = await withDatabase(options.data, async (context) =>
    endpointSecrets.open(context.cipher, await requireEndpointById(context, id)),
  );
  printResult({ id, secret: shown }, options.json, (one) => one.secret);
}

async function rotate(id: string, options: CommonOptions): Promise<void> {
  const rotated = await withDatabase(options.data, async (context) => {
    const db = await auditingEndpoint(context, 'rotate', await requireEndpointById(context, id));
    const { row, secret: made } = await db.transaction((tx) => rotateEndpoint(tx, context.cipher, id));
    return { id, secret: made, previous_valid_until: formatTimestamp(row.previous_until!) };
  });
  const tell = (one: typeof rotated) =>
    `${one.secret}\nEvents are signed with the secret before too until ${one.previous_valid_until}.`;
  printResult(rotated, options.json, tell);
}

const setEnabled = (enabled: boolean) => async (id: string, options: CommonOptions) => {
  await withDatabase(options.data, async (context) => {
    const command = enabled ? 'enable' : 'disable';
    const db = await auditingEndpoint(context, command, await requireEndpointById(context, id));
    await db.transaction((tx) => updateEndpoint(tx, context, id, { enabled }));
  });
  printResult({ id, enabled }, options.json, () => `The endpoint is ${enabled ? 'enabled' : 'disabled'}.`);
};

async function test(id: string, options: CommonOptions): Promise<void> {
  const event = await withDatabase(options.data, async (context) => {
    const endpoint = await requireEndpointById(context, id);
    const site = await selectSiteById(context.db, endpoint.site_id);
    const db = await auditingEndpoint(context, 'test', endpoint);
    return db.transaction((tx) => sendTestEvent(tx, site!, endpoint));
  });
  printResult({ id: event.id }, options.json, (one) => `A test event will be sent: ${one.id}`);
}

/** Adds `fieldstone events …`. */
export function register(program: Command): void {
  const events = program.command('events').description('events for other services, and the endpoints they are sent to');
  const add = (name: string, description: string) => addCommand(events, name, description);
  const addRange = (added: Command) =>
    addRangeOptions(added.option('--site <slug>', 'of one site').option('--endpoint <id>', 'of one endpoint'));

  addRange(add('list', 'list events, newest first'))
    .option('--limit <n>', 'at most this number (100)')
    .action(command(list));
  add('show <event>', 'show an event with every attempt to send it').action(command(show));
  addRange(add('replay [events...]', 'send events again, the same bytes under the same ids')).action(
    command(replayAll),
  );
  add('endpoints', 'list endpoints, newest first')
    .option('--site <slug>', 'of one site')
    .action(command(listEndpoints));
  add('secret <endpoint>', 'show the signing secret').action(command(secret));
  add('rotate <endpoint>', 'make a new secret; events are signed with both for 24 hours').action(command(rotate));
  add('enable <endpoint>', 'send events again').action(command(setEnabled(true)));
  add('disable <endpoint>', 'send no more events').action(command(setEnabled(false)));
  add('test <endpoint>', 'send a test event').action(command(test));
}
