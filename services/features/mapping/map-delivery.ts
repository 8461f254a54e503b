import type { Site } from '../../core/http.ts';
import { decodeText } from '../../core/stored-json.ts';
import { hashBytes } from '../../engines/objects/store.ts';
import type { WorkerApp } from '../app.ts';
import { recordChange } from '../audit/index.ts';
import {
  type ClaimedDelivery,
  endSuperseded,
  entry,
  lockClaimed,
  markMapped,
  storeAppliedItem,
  type TimelineEntry,
} from '../inbound/index.ts';
import { requestPublish } from '../publishing/index.ts';
import { selectSiteById } from '../sites/index.ts';
import type { ImageImporter } from './images/import-images.ts';
import { type Mapper, type MapperOutcome, readPayload } from './mappers/mapper.ts';

export interface MapDeps {
  app: WorkerApp;
  images: ImageImporter;
}

/** A delivery with a readable payload. */
export interface ReadDelivery {
  delivery: ClaimedDelivery;
  mapper: Mapper;
  payload: unknown;
  key: string | null;
  /** Deliveries with the same key belong to one item and are applied in order. */
  itemKey: string;
}

/** `lost`: another run holds the delivery, or it was replayed meanwhile. */
type MapOutcome = 'mapped' | 'superseded' | 'lost';

async function loadBody({ app }: MapDeps, { body, body_hash }: ClaimedDelivery): Promise<Buffer> {
  return body ?? (await app.objects.getBytes(body_hash!));
}

/** Returns the key of an item: hashed, because a source's key may be too long for an index. */
export function itemKeyOf(deliveryId: string, key: string | null): string {
  return key === null ? `delivery:${deliveryId}` : `key:${hashBytes(key)}`;
}

/** Reads the recorded bytes. Throws UnusablePayload, or a Problem if the delivery may be retried. */
export async function readDelivery(deps: MapDeps, mapper: Mapper, delivery: ClaimedDelivery): Promise<ReadDelivery> {
  const raw = decodeText(await loadBody(deps, delivery));
  const payload = readPayload(mapper, raw);
  const key = mapper.keyOf(payload, raw);
  return { delivery, mapper, payload, key, itemKey: itemKeyOf(delivery.id, key) };
}

/** What the mapper prepared outside the transaction, and how long that took. */
interface PreparedDelivery extends ReadDelivery {
  prepared: unknown;
  entries: TimelineEntry[];
}

/** Runs the mapper's work outside the transaction: it fetches images and compiles components. */
export async function prepareDelivery(
  { app, images }: MapDeps,
  site: Site,
  read: ReadDelivery,
  signal: AbortSignal,
): Promise<PreparedDelivery> {
  const begun = entry('prepared');
  const prepared = await read.mapper.prepare({ app, site, images, signal }, read.payload);
  return { ...read, prepared, entries: [{ ...begun, ended_at: new Date().toISOString() }] };
}

/** Returns what a mapper wrote, for the audit log. */
function targetOf({ kind, id, handle, slug, filename }: MapperOutcome['result']['item']) {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const names = { content: slug, media: filename, component: handle };
  return { kind: kind === 'component' ? 'components' : kind, id: text(id) ?? text(handle), name: text(names[kind]) };
}

/**
 * Runs the mapper. Its writes, their row in the audit log, the job that makes them live and the delivery's new state
 * are one transaction, so a delivery is mapped once even after a crash. If a delivery accepted later has already been
 * applied to the same item, this one is superseded (contract: Mappers, "Order is the order of acceptance").
 */
export async function applyDelivery({ app }: MapDeps, site: Site, ready: PreparedDelivery): Promise<MapOutcome> {
  const { delivery, mapper, payload, key, itemKey, prepared, entries } = ready;
  return app.db.transaction(async (tx): Promise<MapOutcome> => {
    const held = await lockClaimed(tx, delivery, itemKey);
    if (!held) return 'lost';
    if (held.applied_seq !== null && held.applied_seq > delivery.seq) {
      await endSuperseded(tx, delivery, held.applied_delivery, entries);
      return 'superseded';
    }
    const current = await selectSiteById(tx, site.id);
    if (!current) return 'lost';
    const { integration_id: integrationId } = delivery;
    const scope = { app, db: tx, site: current, integrationId, earlierItemId: held.item_id };
    const { itemId, result } = await mapper.apply(scope, payload, prepared, key);
    await storeAppliedItem(tx, delivery, itemKey, itemId);
    const target = targetOf(result.item);
    const change = { operation: 'mapDelivery', site: { id: current.id, slug: current.slug }, target };
    await recordChange(tx, change, { via: 'webhook', integrationId });
    const job = await requestPublish(tx, site.id, 'webhook');
    const done = [entry('mapped', undefined, { item: result.item }), entry('publish_requested', undefined, { job })];
    const isHeld = await markMapped(tx, delivery, result, job, [...entries, ...done]);
    if (!isHeld) throw new Error(`Delivery ${delivery.id} left its state although its row is locked.`);
    return 'mapped';
  });
}
