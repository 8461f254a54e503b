import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { formatTimestamp, parseTimestamp } from '../../core/timestamp.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import {
  type DeliveryStatus,
  deliveryStatuses,
  findDeliveryByName,
  forecastReplay,
  integrationSecrets,
  listRange,
  loadDelivery,
  presentDelivery,
  presentIntegration,
  type ReplayForecast,
  replay,
  requireIntegrationBySlug,
  rotateIntegration,
  selectAllIntegrations,
  selectDeliveries,
  signBody,
  updateIntegration,
} from '../../features/webhooks/service.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { type CommandContext, withDatabase } from '../with-database.ts';

interface RangeOptions {
  status?: string;
  since?: string;
}

const pageSize = 100;

function readRange({ status, since }: RangeOptions): { status: DeliveryStatus | undefined; since: Date | undefined } {
  if (status !== undefined && !(deliveryStatuses as readonly string[]).includes(status)) {
    throw new CliError(`--status takes one of ${deliveryStatuses.join(', ')}, not "${status}".`);
  }
  const time = since === undefined ? undefined : parseTimestamp(since);
  if (time === null) throw new CliError(`--since takes a UTC time such as 2026-01-31T12:00:00Z, not "${since}".`);
  return { status: status as DeliveryStatus | undefined, since: time };
}

const openObjects = ({ config, db }: CommandContext) => openObjectStore(config.s3, db);

async function list(options: CommonOptions & { site?: string }): Promise<void> {
  const found = await withDatabase(options.data, async ({ db, config }) =>
    (await selectAllIntegrations(db, options.site ?? null)).map((row) => ({
      ...presentIntegration(row, config),
      site: row.site_slug,
    })),
  );
  printResult(
    found,
    options.json,
    (all) =>
      all
        .map(
          (one) => `${one.slug}  ${one.enabled ? 'enabled ' : 'disabled'}  ${one.mapper}  on ${one.site}  ${one.url}`,
        )
        .join('\n') || 'There is no integration yet.',
  );
}

async function deliveries(slug: string, options: CommonOptions & RangeOptions & { limit?: string }): Promise<void> {
  const range = readRange(options);
  const limit = Number(options.limit ?? pageSize);
  if (!Number.isInteger(limit) || limit < 1) throw new CliError('--limit takes a number of deliveries.');
  const records = await withDatabase(options.data, async ({ db }) => {
    const { id } = await requireIntegrationBySlug(db, slug);
    const { rows } = await selectDeliveries(db, id, { ...range, page: 1, per_page: limit });
    return rows.map((row) => presentDelivery(row, row.body));
  });
  printResult(
    records,
    options.json,
    (all) =>
      all
        .map(
          (one) =>
            `${one.id}  ${one.received_at}  ${one.status.padEnd(10)}  ${one.delivery_id}${one.error ? `  ${one.error.split('\n')[0]}` : ''}`,
        )
        .join('\n') || 'There is no such delivery.',
  );
}

type ShownDelivery = Awaited<ReturnType<typeof loadDelivery>>;

function describeDelivery(record: ShownDelivery): string {
  const steps = record.timeline.map(({ at, elapsed_ms, event, ...details }) => {
    const more = Object.keys(details).length > 0 ? `  ${JSON.stringify(details)}` : '';
    return `  ${at}  +${elapsed_ms} ms  ${event}${more}`;
  });
  return [
    `${record.delivery_id}: ${record.status} after ${record.attempts} attempts${record.next_attempt_at ? `, the next at ${record.next_attempt_at}` : ''}${record.error ? `: ${record.error}` : ''}`,
    ...steps,
    `headers: ${JSON.stringify(record.headers)}`,
    `result: ${JSON.stringify(record.result)}`,
    `body (${record.body_bytes} bytes, ${record.body_encoding}): ${record.body ?? 'no longer kept'}`,
  ].join('\n');
}

async function show(name: string, options: CommonOptions): Promise<void> {
  const record = await withDatabase(options.data, async (context) =>
    loadDelivery(openObjects(context), await findDeliveryByName(context.db, name)),
  );
  printResult(record, options.json, describeDelivery);
}

interface ReplayOptions extends CommonOptions, RangeOptions {
  integration?: string;
  dryRun?: boolean;
}

/** Those named, or the whole range of one integration. */
async function chooseDeliveries({ db }: CommandContext, names: string[], options: ReplayOptions) {
  const { status = null, since = null } = readRange(options);
  if (names.length > 0) return Promise.all(names.map((name) => findDeliveryByName(db, name)));
  const isRange = status !== null || since !== null;
  if (!isRange) throw new CliError('Name deliveries, or a range with --status or --since.');
  const integrations = options.integration
    ? [await requireIntegrationBySlug(db, options.integration)]
    : await selectAllIntegrations(db, null);
  const ranges = await Promise.all(integrations.map(({ id }) => listRange(db, { integrationId: id, status, since })));
  return ranges.flat();
}

function describeForecast({ would, reason, item, changes, would_fetch: fetched = [] }: ReplayForecast): string {
  const changed = Object.entries(changes ?? {}).map(
    ([name, { from, to }]) => `${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  );
  return `would ${would}${item ? ` ${item}` : ''}${reason ? `: ${reason}` : ''}${changed.length > 0 ? ` (${changed.join('; ')})` : ''}${fetched.length > 0 ? `; would fetch ${fetched.join(', ')}` : ''}`;
}

async function replayAll(names: string[], options: ReplayOptions): Promise<void> {
  await withDatabase(options.data, async (context) => {
    const { db, config } = context;
    const chosen = await chooseDeliveries(context, names, options);
    const objects = openObjects(context);
    const results = [];
    for (const row of chosen) {
      const { id, delivery_id } = row;
      const outcome = options.dryRun
        ? await forecastReplay({ db, objects, config }, row)
        : { status: (await replay(db, row)).status };
      results.push({ id, delivery_id, ...outcome });
    }
    printResult(
      results,
      options.json,
      (all) =>
        all
          .map((one) => `${one.id}  ${one.delivery_id}  ${'would' in one ? describeForecast(one) : one.status}`)
          .join('\n') || 'There is nothing to replay.',
    );
  });
}

async function secret(slug: string, options: CommonOptions): Promise<void> {
  const found = await withDatabase(options.data, async ({ db, cipher }) =>
    integrationSecrets.open(cipher, await requireIntegrationBySlug(db, slug)),
  );
  printResult({ slug, secret: found }, options.json, (one) => one.secret);
}

async function rotate(slug: string, options: CommonOptions): Promise<void> {
  const rotated = await withDatabase(options.data, async ({ db, cipher }) => {
    const { id } = await requireIntegrationBySlug(db, slug);
    const { row, secret } = await db.transaction((tx) => rotateIntegration(tx, cipher, id));
    return { slug, secret, previous_valid_until: formatTimestamp(row.previous_until!) };
  });
  printResult(
    rotated,
    options.json,
    (one) => `${one.secret}\nThe secret before it is accepted until ${one.previous_valid_until}.`,
  );
}

const setEnabled = (enabled: boolean) => async (slug: string, options: CommonOptions) => {
  await withDatabase(options.data, async ({ db }) => {
    const { id } = await requireIntegrationBySlug(db, slug);
    await updateIntegration(db, id, { enabled });
  });
  printResult({ slug, enabled }, options.json, () => `${slug} is ${enabled ? 'enabled' : 'disabled'}.`);
};

const outcomes: Record<number, string> = {
  200: 'This delivery id is known already; nothing was done.',
  202: 'Accepted; it will be mapped and published.',
};

async function send(file: string, options: CommonOptions & { integration: string; url?: string; deliveryId?: string }) {
  const body = file === '-' ? await buffer(process.stdin) : await readFile(file);
  const deliveryId = options.deliveryId ?? randomUUID();
  const { key, base } = await withDatabase(options.data, async ({ db, cipher, config }) => ({
    key: integrationSecrets.open(cipher, await requireIntegrationBySlug(db, options.integration)),
    base: options.url ?? config.url,
  }));
  const response = await fetch(`${base.replace(/\/+$/, '')}/webhooks/${options.integration}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Delivery-Id': deliveryId,
      'X-Service-Signature': signBody(key, body),
    },
    body,
  });
  const { status } = response;
  if (!outcomes[status]) throw new CliError(`The endpoint answered ${status}; the delivery was not accepted.`);
  printResult({ status, delivery_id: deliveryId }, options.json, (one) => `${outcomes[status]} (${one.delivery_id})`);
}

/** Adds `fieldstone webhooks …`. */
export function register(program: Command): void {
  const webhooks = program.command('webhooks').description('integrations and what they delivered');
  const add = (name: string, description: string) => addCommand(webhooks, name, description);
  const addRange = (added: Command) =>
    added.option('--status <status>', 'only these').option('--since <time>', 'received at this UTC time or later');

  add('list', 'list integrations, newest first').option('--site <slug>', 'of one site').action(command(list));
  addRange(add('deliveries <integration>', 'list deliveries, newest first'))
    .option('--limit <n>', 'at most so many (100)')
    .action(command(deliveries));
  add('show <delivery>', 'show a delivery with its bytes and its way to the live site').action(command(show));
  addRange(add('replay [deliveries...]', 'process deliveries again from their recorded bytes'))
    .option('--integration <slug>', 'the range of one integration')
    .option('--dry-run', 'print what would change and change nothing')
    .action(command(replayAll));
  add('secret <integration>', 'show the signing secret').action(command(secret));
  add('rotate <integration>', 'make a new secret; the old one stays valid for 24 hours').action(command(rotate));
  add('enable <integration>', 'accept deliveries').action(command(setEnabled(true)));
  add('disable <integration>', 'answer 404 to deliveries').action(command(setEnabled(false)));
  add('send <file>', 'sign a file and send it; - reads standard input')
    .requiredOption('--integration <slug>', 'where to')
    .option('--url <origin>', 'the origin of the service, when it is not FIELDSTONE_URL')
    .option('--delivery-id <id>', 'a random one when absent')
    .action(command(send));
}
