import type { Db } from '../../core/db.ts';
import type { Origin } from '../../core/tracing.ts';
import type { DeliveryRow } from './deliveries-sql.ts';
import type { DeliveryStatus } from './schema.ts';
import { entry, type TimelineEntry, toJson } from './timeline.ts';

/** A delivery that this run works on. */
export interface ClaimedDelivery
  extends Pick<
    DeliveryRow,
    'id' | 'integration_id' | 'site_id' | 'delivery_id' | 'seq' | 'attempts' | 'body' | 'body_hash'
  > {
  body_bytes: number;
  claim: string;
  interruptions: number;
  origin: Origin | null;
}

const waiting = `(status IN ('queued', 'processing') OR next_attempt_at IS NOT NULL)`;

/** How much a run may claim at once. */
export interface ClaimRoom {
  deliveries: number;
  /** Of their bodies in sum. */
  bytes: number;
  /** The run has nothing under way: one delivery fits, whatever its size. */
  isIdle: boolean;
  /** It may try a delivery during which a worker has ended. */
  maySuspect: boolean;
}

/** A worker ended during it, for whatever reason. */
const isSuspect = `(status = 'processing' OR interruptions > 0)`;

/**
 * Claims deliveries that are due, oldest first. What another run of the actor left in the middle is taken over: the actor
 * runs one at a time, so that run is dead, or finds its claim gone. Such an attempt is not counted again, and the delivery is claimed
 * alone from then on: what came after it waits, so that a crash tells which one is guilty.
 */
export async function claimDeliveries(
  db: Db,
  integrationId: string,
  claim: string,
  { deliveries, bytes, isIdle, maySuspect }: ClaimRoom,
): Promise<ClaimedDelivery[]> {
  const rows = await db.query<ClaimedDelivery>(
    `UPDATE deliveries SET status = 'processing', claim = $2::UUID, next_attempt_at = NULL,
       attempts = attempts + CASE WHEN status = 'processing' THEN 0 ELSE 1 END,
       interruptions = interruptions + CASE WHEN status = 'processing' THEN 1 ELSE 0 END,
       timeline = timeline || CASE WHEN status = 'processing' THEN $4::JSONB ELSE $5::JSONB END
     WHERE id IN (
       SELECT id FROM (
         SELECT id, suspect, row_number() OVER places AS place, sum(body_bytes) OVER places AS bytes_until,
           max(CASE WHEN suspect THEN 1 ELSE 0 END) OVER places AS suspects_until
         FROM (
           SELECT id, seq, body_bytes, ${isSuspect} AS suspect FROM deliveries
           WHERE integration_id = $1 AND ${waiting} AND mapped IS NULL
             AND (status = 'queued' OR (status = 'failed' AND next_attempt_at <= now())
               OR (status = 'processing' AND claim IS DISTINCT FROM $2::UUID))
           ORDER BY seq LIMIT $3) due
         WINDOW places AS (ORDER BY seq)) placed
       WHERE (suspects_until = 0 AND (bytes_until <= $6::INT8 OR (place = 1 AND $7::BOOLEAN)))
         OR (place = 1 AND suspect AND $8::BOOLEAN))
     RETURNING id, integration_id, site_id, delivery_id, seq, attempts, interruptions, body, body_hash, body_bytes, claim,
       origin`,
    [
      integrationId,
      claim,
      deliveries,
      toJson(entry('interrupted')),
      toJson(entry('attempt')),
      bytes,
      isIdle,
      maySuspect,
    ],
  );
  return rows.sort((a, b) => a.seq - b.seq);
}

/** A mapped delivery whose build failed. */
export interface DueRebuild {
  id: string;
  /** What its mapper answered: the item, if it made one of content. */
  mapped: { item?: { kind: string; id?: string } };
}

/** Mapped deliveries whose build failed and whose next attempt is due. */
export async function selectDueRebuilds(db: Db, integrationId: string): Promise<DueRebuild[]> {
  return db.query<DueRebuild>(
    `SELECT id, mapped FROM deliveries
     WHERE integration_id = $1 AND ${waiting} AND mapped IS NOT NULL AND status = 'failed' AND next_attempt_at <= now()
     ORDER BY seq FOR UPDATE`,
    [integrationId],
  );
}

/** What the result will say, where that has changed since the mapping. */
export async function amendMapped(db: Db, id: string, changes: object): Promise<void> {
  await db.query('UPDATE deliveries SET mapped = mapped || $2::JSONB WHERE id = $1', [id, JSON.stringify(changes)]);
}

/** They wait for this job now; nothing is mapped again (contract: Records, delivery). */
export async function attachJob(db: Db, ids: readonly string[], jobId: string): Promise<void> {
  await db.query(
    `UPDATE deliveries SET status = 'processing', attempts = attempts + 1, next_attempt_at = NULL, job_id = $2,
       timeline = timeline || $3::JSONB
     WHERE id = ANY($1::UUID[])`,
    [ids, jobId, toJson(entry('attempt'), entry('publish_requested', undefined, { job: jobId }))],
  );
}

/** Milliseconds until the next delivery is due (0 or less: now), or null when none waits. What waits for a build is not counted. */
export async function selectNextDueMs(db: Db, integrationId: string): Promise<number | null> {
  const [row] = await db.query<{ due_ms: number | null }>(
    `SELECT min(CASE WHEN next_attempt_at IS NULL THEN 0
       ELSE EXTRACT(EPOCH FROM next_attempt_at - now()) * 1000 END)::FLOAT8 AS due_ms
     FROM deliveries WHERE integration_id = $1 AND ${waiting} AND NOT (status = 'processing' AND mapped IS NOT NULL)`,
    [integrationId],
  );
  return row?.due_ms ?? null;
}

interface HeldDelivery {
  /** Of the delivery applied last for the same item. */
  applied_seq: number | null;
  applied_delivery: string | null;
  item_id: string | null;
}

/** Whether this run still holds the delivery, and what was applied last for its item. Locks the delivery. */
export async function lockClaimed(
  db: Db,
  { id, claim, integration_id }: ClaimedDelivery,
  itemKey: string,
): Promise<HeldDelivery | undefined> {
  const rows = await db.query<HeldDelivery>(
    `SELECT i.seq AS applied_seq, i.delivery_id AS applied_delivery, i.item_id
     FROM deliveries d LEFT JOIN integration_items i ON i.integration_id = $3 AND i.item_key = $4
     WHERE d.id = $1 AND d.claim = $2 AND d.status = 'processing' FOR UPDATE OF d`,
    [id, claim, integration_id, itemKey],
  );
  return rows[0];
}

/** Remembers which delivery was applied last for an item. */
export async function rememberItem(
  db: Db,
  { id, seq, integration_id }: ClaimedDelivery,
  itemKey: string,
  itemId: string | null,
): Promise<void> {
  await db.query(
    `INSERT INTO integration_items (integration_id, item_key, seq, delivery_id, item_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (integration_id, item_key) DO UPDATE SET seq = excluded.seq, delivery_id = excluded.delivery_id,
       item_id = excluded.item_id`,
    [integration_id, itemKey, seq, id, itemId],
  );
}

/** The delivery is mapped and waits for its job. */
export async function markMapped(
  db: Db,
  delivery: ClaimedDelivery,
  mapped: object,
  jobId: string,
  entries: TimelineEntry[],
): Promise<void> {
  await db.query(
    `UPDATE deliveries SET mapped = $2::JSONB, job_id = $3, error = NULL, timeline = timeline || $4::JSONB WHERE id = $1`,
    [delivery.id, JSON.stringify(mapped), jobId, toJson(...entries)],
  );
}

export interface Ending {
  status: DeliveryStatus;
  error: string | null;
  result: object | null;
  /** Until the next attempt; null when not found. */
  retryMs: number | null;
  entries: TimelineEntry[];
}

/** Ends an attempt of a delivery that this run still holds; false when it does not. */
export async function endAttempt(db: Db, { id, claim }: ClaimedDelivery, ending: Ending): Promise<boolean> {
  const { status, error, result, retryMs, entries } = ending;
  const rows = await db.query(
    `UPDATE deliveries SET status = $3, error = $4, result = $5::JSONB, claim = NULL, interruptions = 0, timeline = timeline || $7::JSONB,
       next_attempt_at = CASE WHEN $6::FLOAT8 IS NULL THEN NULL ELSE now() + $6::FLOAT8 * INTERVAL '1 millisecond' END,
       finished_at = CASE WHEN $6::FLOAT8 IS NULL THEN now() ELSE NULL END
     WHERE id = $1 AND claim = $2 AND status = 'processing' AND mapped IS NULL RETURNING id`,
    [id, claim, status, error, result ? JSON.stringify(result) : null, retryMs, toJson(...entries)],
  );
  return rows.length > 0;
}

/** Gives back what a run still holds: the attempt is not counted, and another run may begin at once. */
export async function releaseClaim(db: Db, claim: string, integrationId: string): Promise<void> {
  await db.query(
    `UPDATE deliveries SET status = 'queued', claim = NULL, attempts = attempts - 1
     WHERE integration_id = $2 AND claim = $1 AND status = 'processing' AND mapped IS NULL`,
    [claim, integrationId],
  );
}

/** What was applied last for an item. */
export async function selectItem(
  db: Db,
  integrationId: string,
  itemKey: string,
): Promise<{ seq: number; item_id: string | null } | undefined> {
  const rows = await db.query<{ seq: number; item_id: string | null }>(
    'SELECT seq, item_id FROM integration_items WHERE integration_id = $1 AND item_key = $2',
    [integrationId, itemKey],
  );
  return rows[0];
}
