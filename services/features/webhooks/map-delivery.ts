import type { Site } from '../../core/http.ts';
import { hashBytes } from '../../engines/objects/store.ts';
import { requestPublish } from '../publishing/service.ts';
import { findSiteById } from '../sites/service.ts';
import type { ImageImporter } from './images/import-images.ts';
import { type ClaimedDelivery, endAttempt, lockClaimed, markMapped, rememberItem } from './inbox-sql.ts';
import { decodeBody, type Mapper, readPayload, type WorkerApp } from './mappers/mapper.ts';
import { entry } from './timeline.ts';

export interface MapDeps {
  app: WorkerApp;
  images: ImageImporter;
}

/** A delivery whose payload could be read. */
export interface ReadDelivery {
  delivery: ClaimedDelivery;
  mapper: Mapper;
  payload: unknown;
  key: string | null;
  /** Deliveries with the same one are about one item, and applied in their order. */
  itemKey: string;
}

/** `lost`: another run holds the delivery, or it was replayed meanwhile. */
export type MapOutcome = 'mapped' | 'superseded' | 'lost';

async function loadBody({ app }: MapDeps, { body, body_hash }: ClaimedDelivery): Promise<Buffer> {
  return body ?? (await app.objects.getBytes(body_hash!));
}

/** The name that an item goes by here: hashed, since a key may be longer than an index takes. */
export function itemKeyOf(deliveryId: string, key: string | null): string {
  return key === null ? `delivery:${deliveryId}` : `key:${hashBytes(key)}`;
}

/** Reads the recorded bytes. Throws UnusablePayload, or a Problem for what may be tried again. */
export async function readDelivery(deps: MapDeps, mapper: Mapper, delivery: ClaimedDelivery): Promise<ReadDelivery> {
  const raw = decodeBody(await loadBody(deps, delivery));
  const payload = readPayload(mapper, raw);
  const key = mapper.keyOf(payload, raw);
  return { delivery, mapper, payload, key, itemKey: itemKeyOf(delivery.id, key) };
}

/**
 * Runs the mapper. What it writes, the job that makes it live and the delivery's new state are one transaction, so a
 * delivery is mapped once whatever dies. One that was accepted before another already applied to the same item is
 * superseded (contract: Mappers, "Order is the order of acceptance").
 */
export async function mapDelivery(
  deps: MapDeps,
  site: Site,
  read: ReadDelivery,
  signal: AbortSignal,
): Promise<MapOutcome> {
  const { app, images } = deps;
  const { delivery, mapper, payload, key, itemKey } = read;
  const preparing = entry('images');
  const prepared = await mapper.prepare({ app, site, images, signal }, payload);
  const entries = prepared === undefined ? [] : [{ ...preparing, ended_at: new Date().toISOString() }];
  return app.db.transaction(async (tx): Promise<MapOutcome> => {
    const held = await lockClaimed(tx, delivery, itemKey);
    if (!held) return 'lost';
    if (held.applied_seq !== null && held.applied_seq > delivery.seq) {
      const result = { superseded_by: held.applied_delivery };
      const entries = [entry('superseded', undefined, { by: held.applied_delivery })];
      await endAttempt(tx, delivery, { status: 'succeeded', error: null, result, retryMs: null, entries });
      return 'superseded';
    }
    const current = await findSiteById(tx, site.id);
    if (!current) return 'lost';
    const scope = {
      app,
      db: tx,
      site: current,
      integrationId: delivery.integration_id,
      earlierItemId: held.item_id,
    };
    const { itemId, result } = await mapper.apply(scope, payload, prepared, key);
    await rememberItem(tx, delivery, itemKey, itemId);
    const job = await requestPublish(tx, site.id, 'webhook');
    const done = [
      ...entries,
      entry('mapped', undefined, { item: result.item }),
      entry('publish_requested', undefined, { job }),
    ];
    await markMapped(tx, delivery, result, job, done);
    return 'mapped';
  });
}
