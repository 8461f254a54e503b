import type { Db } from '../../core/db.ts';
import { notFound, Problem, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { decodeText } from '../../core/stored-json.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { checkFieldsAtOnce, cleanAtOnce, findChanges, loadBody, selectContent } from '../content/index.ts';
import { type DeliveryRow, loadDeliveryBody, requireDelivery, selectItem } from '../inbound/index.ts';
import { selectIntegrationById } from '../integrations/index.ts';
import { selectMediaBySource } from '../media/index.ts';
import { selectSiteById } from '../sites/index.ts';
import type { ImageImporter } from './images/import-images.ts';
import { itemKeyOf } from './map-delivery.ts';
import { mapperOf } from './mappers/index.ts';
import { type Mapper, readPayload, type TrialApp, UnusablePayload } from './mappers/mapper.ts';

export interface ReplayForecast {
  would: 'create' | 'update' | 'skip' | 'fail';
  reason?: string;
  item?: string;
  /** Members whose value would change; for bodies only their length. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  /** Images that are not in the library yet. */
  would_fetch?: string[];
}

/**
 * Without `bodies` and `fieldChecks`, bodies are sanitized and fields checked in this thread: for commands, not for
 * servers.
 */
type ForecastDeps = Omit<TrialApp, 'bodies' | 'fieldChecks'> & Partial<Pick<TrialApp, 'bodies' | 'fieldChecks'>>;

type ContentRow = NonNullable<Awaited<ReturnType<typeof selectContent>>>;

class RolledBack extends Error {}

/** Runs `work` in a transaction and rolls it back. */
async function tryInTransaction<T>(db: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  const found: T[] = [];
  const running = db.transaction(async (tx) => {
    found[0] = await work(tx);
    throw new RolledBack();
  });
  await running.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return found[0]!;
}

/** Creates an importer that only finds items in the library; a missing one is omitted and reported as to be fetched. */
function createLookup(db: Db): ImageImporter {
  const find: ImageImporter['importFile'] = async ({ site, url }) => {
    const row = await selectMediaBySource(db, site.id, url);
    if (!row || row.trashed_at) throw problem('fetch_refused', 'It is not in the library yet.');
    return { row, isNew: false };
  };
  return { importFile: find, importImage: find };
}

/** Compares two versions. `isWhole`: no image is missing, so the body and the featured image are final. */
async function compare(objects: ObjectStore, before: ContentRow, after: ContentRow, isWhole: boolean) {
  const changes = findChanges(before, after);
  if (!isWhole) delete changes['featured_media_id'];
  const [from, to] = await Promise.all([loadBody(objects, before), loadBody(objects, after)]);
  if (isWhole && from !== to) changes.body_html = { from: `${from.length} characters`, to: `${to.length} characters` };
  return changes;
}

interface Trial {
  steps: NonNullable<Mapper['trial']>;
  payload: unknown;
  key: string | null;
  site: Site;
  integrationId: string;
  earlierItemId: string | null;
}

async function runTrial(deps: ForecastDeps, trial: Trial): Promise<ReplayForecast> {
  const { steps, payload, key, site, integrationId, earlierItemId } = trial;
  const { db, objects, config, bodies = cleanAtOnce, fieldChecks = checkFieldsAtOnce } = deps;
  const app: TrialApp = { db, objects, config, bodies, fieldChecks };
  const { signal } = new AbortController();
  const prepared = await steps.prepare({ app, site, images: createLookup(db), signal }, payload);
  const { before, after, result } = await tryInTransaction(db, async (tx) => {
    const select = (id: string | null) => (id === null ? undefined : selectContent(tx, site.id, id));
    const before = await select(earlierItemId);
    const scope = { app, db: tx, site, integrationId, earlierItemId };
    const { itemId, result } = await steps.apply(scope, payload, prepared, key);
    return { before, after: await select(itemId), result };
  });
  const omitted = (result['omitted_images'] ?? []) as { url: string }[];
  const wouldFetch = omitted.length > 0 ? { would_fetch: omitted.map(({ url }) => url) } : {};
  if (!before || !after) return { would: 'create', ...wouldFetch };
  const changes = await compare(objects, before, after, omitted.length === 0);
  return { would: 'update', item: before.id, changes, ...wouldFetch };
}

/** Returns what a replay would do, without doing it: nothing is fetched or compiled, and writes are rolled back. */
export async function forecastReplay(
  deps: ForecastDeps,
  name: Pick<DeliveryRow, 'id' | 'integration_id'>,
): Promise<ReplayForecast> {
  const { db, objects } = deps;
  const delivery = await requireDelivery(db, name.integration_id, name.id);
  const integration = await selectIntegrationById(db, delivery.integration_id);
  const site = integration && (await selectSiteById(db, integration.site_id));
  const body = await loadDeliveryBody(objects, delivery);
  if (!integration || !site || !body || delivery.purged_at) throw notFound('delivery with recorded bytes');
  const mapper = mapperOf(integration.mapper);
  const raw = decodeText(body);
  try {
    const payload = readPayload(mapper, raw);
    const key = mapper.keyOf(payload, raw);
    const item = await selectItem(db, integration.id, itemKeyOf(delivery.id, key));
    const earlierItemId = item?.item_id ?? null;
    const { trial: steps } = mapper;
    if (steps) return await runTrial(deps, { steps, payload, key, site, earlierItemId, integrationId: integration.id });
    return earlierItemId ? { would: 'update', item: earlierItemId } : { would: 'create' };
  } catch (error) {
    if (error instanceof UnusablePayload) return { would: 'skip', reason: error.message };
    if (error instanceof Problem && error.code !== 'unavailable') return { would: 'fail', reason: error.message };
    throw error;
  }
}
