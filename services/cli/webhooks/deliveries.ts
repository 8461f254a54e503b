import { readWholePage } from '../../core/large-list.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import {
  deliveryStatuses,
  findDeliveryByName,
  listRange,
  loadDelivery,
  presentDelivery,
  replay,
  selectDeliveries,
} from '../../features/inbound/index.ts';
import { requireIntegrationBySlug, selectAllIntegrations } from '../../features/integrations/index.ts';
import { forecastReplay, type ReplayForecast } from '../../features/mapping/index.ts';
import { auditedSite, auditing } from '../auditing.ts';
import type { CommonOptions } from '../command-options.ts';
import { type RangeOptions, readLimit, readRange } from '../range-options.ts';
import { CliError, printResult } from '../run-command.ts';
import { type CommandContext, withDatabase } from '../with-database.ts';

const openObjects = ({ config, db }: CommandContext) => openObjectStore(config.objects, db);

/** Runs `webhooks deliveries`: lists those of one integration, newest first. */
export async function list(slug: string, options: RangeOptions): Promise<void> {
  const range = readRange(options, deliveryStatuses);
  const limit = readLimit(options, 'deliveries');
  const records = await withDatabase(options.data, async ({ db }) => {
    const { id } = await requireIntegrationBySlug(db, slug);
    const rows = await readWholePage(await selectDeliveries(db, id, { ...range, page: 1, per_page: limit }));
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

/** Runs `webhooks show`: prints one delivery with its bytes and its way to the live site. */
export async function show(name: string, options: CommonOptions): Promise<void> {
  const record = await withDatabase(options.data, async (context) =>
    loadDelivery(openObjects(context), await findDeliveryByName(context.db, name)),
  );
  printResult(record, options.json, describeDelivery);
}

interface DeliveryName {
  id: string;
  integration_id: string;
  delivery_id: string;
}

interface ReplayOptions extends RangeOptions {
  integration?: string;
  dryRun?: boolean;
}

/** Returns the requested range, or null when deliveries are named. Throws if both or neither are given. */
function readChoice(names: string[], options: ReplayOptions) {
  const { status = null, since = null } = readRange(options, deliveryStatuses);
  const isRange = status !== null || since !== null;
  if (names.length > 0 && (isRange || options.integration))
    throw new CliError('Name deliveries or a range, not both.', { code: 'usage' });
  if (names.length === 0 && !isRange)
    throw new CliError('Name deliveries, or a range with --status or --since.', { code: 'usage' });
  return names.length > 0 ? null : { status, since };
}

/** Returns the named deliveries, or the whole range of one integration. */
async function chooseDeliveries(
  { db }: CommandContext,
  names: string[],
  range: ReturnType<typeof readChoice>,
  options: ReplayOptions,
) {
  if (range === null) return Promise.all(names.map((name) => findDeliveryByName(db, name)));
  const integrations = options.integration
    ? [await requireIntegrationBySlug(db, options.integration)]
    : await selectAllIntegrations(db, null);
  const ranges = await Promise.all(integrations.map(({ id }) => listRange(db, { integrationId: id, ...range })));
  return ranges.flat();
}

function describeForecast({ would, reason, item, changes, would_fetch: fetched = [] }: ReplayForecast): string {
  const changed = Object.entries(changes ?? {}).map(
    ([name, { from, to }]) => `${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  );
  return `would ${would}${item ? ` ${item}` : ''}${reason ? `: ${reason}` : ''}${changed.length > 0 ? ` (${changed.join('; ')})` : ''}${fetched.length > 0 ? `; would fetch ${fetched.join(', ')}` : ''}`;
}

/** Returns the database for an audited replay. */
async function auditingReplay(db: Database, { id, integration_id, delivery_id }: DeliveryName) {
  const [row] = await db.query<{ site_id: string }>('SELECT site_id FROM integrations WHERE id = $1', [integration_id]);
  const site = row ? await auditedSite(db, row.site_id) : null;
  const target = { kind: 'deliveries', id, name: delivery_id };
  return auditing(db, () => ({ operation: 'webhooks.replay', site, target }));
}

/** Runs `webhooks replay`: processes deliveries again from their recorded bytes, or reports what that would change. */
export async function replayAll(names: string[], options: ReplayOptions): Promise<void> {
  const range = readChoice(names, options);
  await withDatabase(options.data, async (context) => {
    const { db, config } = context;
    const chosen = await chooseDeliveries(context, names, range, options);
    const objects = openObjects(context);
    const results = [];
    for (const row of chosen) {
      const { id, delivery_id } = row;
      const outcome = options.dryRun
        ? await forecastReplay({ db, objects, config }, row)
        : { status: (await replay(await auditingReplay(db, row), row)).status };
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
