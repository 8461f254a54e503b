import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Origin } from '../../core/tracing.ts';
import { type DeliveryRow, deliveryColumns } from './deliveries-sql.ts';
import { entry, type TimelineEntry, toJson } from './timeline.ts';
import type { LiveDelivery } from './trace.ts';

/**
 * The states of a delivery, as conditions on its row; each row meets exactly one. The API shows `status`, where
 * `processing` and `failed` cover several states. No other file writes the columns `status`, `attempts`,
 * `next_attempt_at` and `finished_at` (test/unit/checks/state-columns.test.ts).
 */
export const deliveryStates = {
  queued: `status = 'queued'`,
  /** A run of the integration's actor has claimed it. */
  mapping: `status = 'processing' AND mapped IS NULL`,
  /** Mapped; its job makes it live. */
  building: `status = 'processing' AND mapped IS NOT NULL`,
  /** Waits for the next attempt to map it. */
  mapping_retry: `status = 'failed' AND next_attempt_at IS NOT NULL AND mapped IS NULL`,
  /** Mapped, and waits for the next attempt to build it. */
  building_retry: `status = 'failed' AND next_attempt_at IS NOT NULL AND mapped IS NOT NULL`,
  succeeded: `status = 'succeeded' AND purged_at IS NULL`,
  skipped: `status = 'skipped' AND purged_at IS NULL`,
  failed: `status = 'failed' AND next_attempt_at IS NULL AND purged_at IS NULL`,
  /** Succeeded, skipped or failed, and retention deleted the body: the final state. */
  purged: `purged_at IS NOT NULL`,
} as const;

export type DeliveryState = keyof typeof deliveryStates;

interface Transition {
  /** `none`: the delivery does not exist yet. */
  from: readonly (DeliveryState | 'none')[];
  to: readonly DeliveryState[];
}

const ended = ['succeeded', 'skipped', 'failed'] as const;

/**
 * Every transition, by the name of the function that makes it with one statement. Each compares the state that it
 * leaves (and the claim, if a run holds the delivery) and returns what it changed; in any other state it changes
 * nothing.
 */
export const deliveryTransitions = {
  insertDeliveries: { from: ['none'], to: ['queued'] },
  /** Leaves `mapping` only when another run holds the delivery; that run has ended. */
  claimDeliveries: { from: ['queued', 'mapping_retry', 'mapping'], to: ['mapping'] },
  releaseClaim: { from: ['mapping'], to: ['queued'] },
  endSuperseded: { from: ['mapping'], to: ['succeeded'] },
  endSkipped: { from: ['mapping'], to: ['skipped'] },
  endFailed: { from: ['mapping'], to: ['mapping_retry', 'failed'] },
  markMapped: { from: ['mapping'], to: ['building'] },
  settleLive: { from: ['building'], to: ['succeeded'] },
  settleFailed: { from: ['building'], to: ['building_retry', 'failed'] },
  attachJob: { from: ['building_retry'], to: ['building'] },
  requeueDelivery: {
    from: ['queued', 'mapping', 'building', 'mapping_retry', 'building_retry', ...ended],
    to: ['queued'],
  },
  purgeEnded: { from: ended, to: ['purged'] },
} as const satisfies Record<string, Transition>;

/** Maximum time between two attempts, whatever the number of attempts. */
export const maxRetryMs = 6 * 60 * 60 * 1000;

export type RetrySettings = Pick<Config, 'retryInitialMs' | 'retryAttempts'>;

/** Makes the current attempt the last one. */
const noRetry: RetrySettings = { retryInitialMs: 0, retryAttempts: 0 };

/**
 * Returns the assignments for a failed attempt, by the retry rule: exponential back-off up to `maxRetryMs`, with up to
 * a quarter of random variation, so that deliveries that fail together are not retried together; after the last attempt
 * the delivery ends (contract: Mappers, Retries). Parameters from `$first`: see `retryParams`. The limit of the
 * exponent keeps the power within a float.
 */
function failAttempt(row: string, first: number): string {
  const isLast = `${row}attempts >= $${first}::INT8`;
  return `next_attempt_at = CASE WHEN ${isLast} THEN NULL ELSE
         now() + least($${first + 2}::FLOAT8, $${first + 1}::FLOAT8 * power(2::FLOAT8, least(${row}attempts - 1, 62)::FLOAT8))
           * (0.75 + random() * 0.5) * INTERVAL '1 millisecond' END,
       finished_at = CASE WHEN ${isLast} THEN now() ELSE NULL END`;
}

const retryParams = ({ retryInitialMs, retryAttempts }: RetrySettings) => [retryAttempts, retryInitialMs, maxRetryMs];

export interface NewDelivery {
  deliveryId: string;
  /** Names and values as received, in order. */
  headers: readonly (readonly [string, string])[];
  body: Buffer | null;
  bodyHash: string | null;
  bodyBytes: number;
  timeline: string;
  /** The request that sent it. */
  origin: Origin | null;
}

/**
 * Records deliveries of one integration in order, `none` → `queued`. Returns the ids that were new, or null when the
 * integration was deleted or disabled. One statement writes the numbers, the records and their order together.
 */
export async function insertDeliveries(
  db: Db,
  integrationId: string,
  deliveries: readonly NewDelivery[],
): Promise<Set<string> | null> {
  const rows = await db.query<{ delivery_id: string | null }>(
    `WITH numbered AS (
       UPDATE integrations SET next_seq = next_seq + $2::INT8 WHERE id = $1 AND enabled
       RETURNING id, site_id, next_seq - $2::INT8 AS first_seq
     ), recorded AS (
       INSERT INTO deliveries (integration_id, site_id, delivery_id, seq, status, headers, body, body_hash, body_bytes, timeline,
         origin, received_at)
       SELECT n.id, n.site_id, u.delivery_id, n.first_seq + u.place, 'queued', u.headers::JSONB, u.body, u.body_hash,
         u.body_bytes, u.timeline::JSONB, u.origin::JSONB, now() + u.place * INTERVAL '1 microsecond'
       FROM numbered n, unnest($3::INT8[], $4::TEXT[], $5::TEXT[], $6::BYTEA[], $7::TEXT[], $8::INT8[], $9::TEXT[],
         $10::TEXT[]) AS u (place, delivery_id, headers, body, body_hash, body_bytes, timeline, origin)
       ORDER BY u.place
       ON CONFLICT (integration_id, delivery_id) DO NOTHING
       RETURNING delivery_id
     )
     SELECT r.delivery_id FROM numbered n LEFT JOIN recorded r ON true`,
    [
      integrationId,
      deliveries.length,
      deliveries.map((_, place) => place),
      deliveries.map((delivery) => delivery.deliveryId),
      deliveries.map((delivery) => JSON.stringify(delivery.headers)),
      deliveries.map((delivery) => delivery.body) as object,
      deliveries.map((delivery) => delivery.bodyHash) as object,
      deliveries.map((delivery) => delivery.bodyBytes),
      deliveries.map((delivery) => delivery.timeline),
      deliveries.map(({ origin }) => (origin ? JSON.stringify(origin) : null)) as object,
    ],
  );
  if (rows.length === 0) return null;
  return new Set(rows.flatMap((row) => (row.delivery_id === null ? [] : [row.delivery_id])));
}

/** A delivery claimed by this run. */
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

/** Deliveries with remaining work; the condition of the index `deliveries_waiting_idx`. */
export const waiting = `(status IN ('queued', 'processing') OR next_attempt_at IS NOT NULL)`;

/** Limits of one claim. */
export interface ClaimRoom {
  deliveries: number;
  /** Total size of their bodies. */
  bytes: number;
  /** The run has no work: one delivery fits, whatever its size. */
  isIdle: boolean;
  /** The run may try a delivery during which a worker has ended. */
  maySuspect: boolean;
}

/** A worker ended while it processed the delivery, for any reason. */
const isSuspect = `(status = 'processing' OR interruptions > 0)`;

/**
 * Claims due deliveries, oldest first: `queued`, `mapping_retry` or `mapping` of another run → `mapping`. Deliveries
 * that another run of the actor left unfinished are claimed too: the actor has one run at a time, so that run has ended
 * or finds its claim gone. Such an attempt is not counted again, and the delivery is then claimed alone: later ones
 * wait, so that a crash identifies the delivery at fault.
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

/**
 * Puts deliveries that a run still holds back into the queue, `mapping` → `queued`; the attempt is not counted. Returns
 * their number.
 */
export async function releaseClaim(db: Db, claim: string, integrationId: string): Promise<number> {
  const rows = await db.query(
    `UPDATE deliveries SET status = 'queued', claim = NULL, attempts = attempts - 1
     WHERE integration_id = $2 AND claim = $1 AND status = 'processing' AND mapped IS NULL RETURNING id`,
    [claim, integrationId],
  );
  return rows.length;
}

/**
 * Records that a delivery is mapped and waits for its job: `mapping` → `building`. Returns false when this run does not
 * hold the delivery.
 */
export async function markMapped(
  db: Db,
  { id, claim }: ClaimedDelivery,
  mapped: object,
  jobId: string,
  entries: TimelineEntry[],
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE deliveries SET mapped = $2::JSONB, job_id = $3, error = NULL, timeline = timeline || $4::JSONB
     WHERE id = $1 AND claim = $5 AND status = 'processing' AND mapped IS NULL RETURNING id`,
    [id, JSON.stringify(mapped), jobId, toJson(...entries), claim],
  );
  return rows.length > 0;
}

/** Ends a delivery that needs no other attempt. */
async function endMapping(
  db: Db,
  { id, claim }: ClaimedDelivery,
  end: { status: 'succeeded' | 'skipped'; error: string | null; result: object | null; entries: TimelineEntry[] },
): Promise<boolean> {
  const { status, error, result, entries } = end;
  const rows = await db.query(
    `UPDATE deliveries SET status = $3, error = $4, result = $5::JSONB, claim = NULL, interruptions = 0,
       next_attempt_at = NULL, finished_at = now(), timeline = timeline || $6::JSONB
     WHERE id = $1 AND claim = $2 AND status = 'processing' AND mapped IS NULL RETURNING id`,
    [id, claim, status, error, result ? JSON.stringify(result) : null, toJson(...entries)],
  );
  return rows.length > 0;
}

/**
 * Ends a delivery because a later one of the same item has been applied: `mapping` → `succeeded`. Returns false when
 * this run does not hold the delivery.
 */
export function endSuperseded(
  db: Db,
  delivery: ClaimedDelivery,
  by: string | null,
  earlier: TimelineEntry[],
): Promise<boolean> {
  const entries = [...earlier, entry('superseded', undefined, { by })];
  return endMapping(db, delivery, { status: 'succeeded', error: null, result: { superseded_by: by }, entries });
}

/**
 * Ends a delivery whose payload cannot be used: `mapping` → `skipped`. Returns false when this run does not hold the
 * delivery.
 */
export function endSkipped(db: Db, delivery: ClaimedDelivery, message: string): Promise<boolean> {
  const entries = [entry('skipped', undefined, { message })];
  return endMapping(db, delivery, { status: 'skipped', error: message, result: null, entries });
}

/**
 * Ends a failed attempt: `mapping` → `mapping_retry`, or `failed` after the last one; `retry` null makes this the last
 * one. Returns the outcome, or null when this run does not hold the delivery.
 */
export async function endFailed(
  db: Db,
  { id, claim }: ClaimedDelivery,
  { message, retry, details = {} }: { message: string; retry: RetrySettings | null; details?: Record<string, unknown> },
): Promise<'retried' | 'failed' | null> {
  const entries = toJson(entry('failed', undefined, { message, ...details }));
  const [row] = await db.query<{ next_attempt_at: Date | null }>(
    `UPDATE deliveries SET status = 'failed', error = $3, result = NULL, claim = NULL, interruptions = 0,
       timeline = timeline || $4::JSONB,
       ${failAttempt('', 5)}
     WHERE id = $1 AND claim = $2 AND status = 'processing' AND mapped IS NULL RETURNING next_attempt_at`,
    [id, claim, message, entries, ...retryParams(retry ?? noRetry)],
  );
  return row ? (row.next_attempt_at === null ? 'failed' : 'retried') : null;
}

/**
 * Ends a site's deliveries whose jobs have succeeded, so they are live: `building` → `succeeded`, with the job's
 * release (contract: `succeeded` means live).
 */
export function settleLive(db: Db, siteId: string): Promise<LiveDelivery[]> {
  return db.query<LiveDelivery>(
    `UPDATE deliveries AS d SET status = 'succeeded', finished_at = now(), error = NULL, claim = NULL,
       result = jsonb_build_object('release', j.result->'release', 'url', j.result->'url') || d.mapped
         || jsonb_build_object('job', j.id),
       timeline = d.timeline || jsonb_build_array(
         jsonb_build_object('at', j.started_at, 'event', 'build_started', 'job', j.id),
         jsonb_build_object('at', j.finished_at, 'event', 'live', 'release', j.result->'release'))
     FROM jobs j
     WHERE j.id = d.job_id AND d.site_id = $1 AND d.status = 'processing' AND d.job_id IS NOT NULL AND d.mapped IS NOT NULL
       AND j.status = 'succeeded'
     RETURNING d.id, d.integration_id, d.site_id, d.received_at, d.finished_at,
       d.timeline @> '[{"event": "replayed"}]'::JSONB AS replayed, d.origin->>'traceparent' AS traceparent,
       CASE WHEN d.origin->>'traceparent' IS NULL THEN NULL ELSE d.timeline END AS timeline`,
    [siteId],
  );
}

export interface FailedBuild {
  id: string;
  integration_id: string;
  /** Null after the last attempt. */
  next_attempt_at: Date | null;
}

/**
 * Ends the attempt of a site's deliveries whose jobs have failed; a later build may succeed: `building` →
 * `building_retry`, or `failed` after the last attempt.
 */
export function settleFailed(db: Db, siteId: string, retry: RetrySettings): Promise<FailedBuild[]> {
  return db.query<FailedBuild>(
    `UPDATE deliveries AS d SET status = 'failed', error = j.error, claim = NULL,
       ${failAttempt('d.', 2)},
       timeline = d.timeline || jsonb_build_array(jsonb_build_object(
         'at', j.finished_at, 'event', 'failed', 'job', j.id, 'message', j.error))
     FROM jobs j
     WHERE j.id = d.job_id AND d.site_id = $1 AND d.status = 'processing' AND d.job_id IS NOT NULL AND d.mapped IS NOT NULL
       AND j.status = 'failed'
     RETURNING d.id, d.integration_id, d.next_attempt_at`,
    [siteId, ...retryParams(retry)],
  );
}

/**
 * Makes deliveries wait for this job: `building_retry` → `building`; nothing is mapped again (contract: Records,
 * delivery). Call it in the transaction of `selectDueRebuilds`, which has locked them. Returns their number.
 */
export async function attachJob(db: Db, ids: readonly string[], jobId: string): Promise<number> {
  const rows = await db.query(
    `UPDATE deliveries SET status = 'processing', attempts = attempts + 1, next_attempt_at = NULL, job_id = $2,
       timeline = timeline || $3::JSONB
     WHERE id = ANY($1::UUID[]) AND status = 'failed' AND next_attempt_at IS NOT NULL AND mapped IS NOT NULL RETURNING id`,
    [ids, jobId, toJson(entry('attempt'), entry('publish_requested', undefined, { job: jobId }))],
  );
  return rows.length;
}

/**
 * Puts a delivery back into the queue as if it had just been accepted, any state but `purged` → `queued`: a new number,
 * no attempts, nothing mapped; a run that still works on it finds its claim gone. Returns undefined when nothing
 * changed.
 */
export async function requeueDelivery(
  db: Db,
  { id, integration_id }: Pick<DeliveryRow, 'id' | 'integration_id'>,
  seq: number,
): Promise<DeliveryRow | undefined> {
  const rows = await db.query<DeliveryRow>(
    `UPDATE deliveries SET seq = $3, status = 'queued', attempts = 0, interruptions = 0, next_attempt_at = NULL, claim = NULL,
       job_id = NULL, mapped = NULL, result = NULL, error = NULL, finished_at = NULL, timeline = timeline || $4::JSONB
     WHERE id = $1 AND integration_id = $2 AND purged_at IS NULL RETURNING ${deliveryColumns}`,
    [id, integration_id, seq, toJson(entry('replayed'))],
  );
  return rows[0];
}

/**
 * Deletes bodies and headers of at most `limit` deliveries that ended more than `days` days ago, → `purged`; the
 * records stay. Returns their number.
 */
export async function purgeEnded(db: Db, days: number, limit: number): Promise<number> {
  const rows = await db.query(
    `UPDATE deliveries SET body = NULL, body_hash = NULL, headers = '[]'::JSONB, purged_at = now(),
         timeline = timeline || $3::JSONB
       WHERE id IN (
         SELECT id FROM deliveries
         WHERE purged_at IS NULL AND finished_at IS NOT NULL AND finished_at < now() - $1::INT8 * INTERVAL '1 day'
         ORDER BY finished_at LIMIT $2)
         AND finished_at IS NOT NULL
       RETURNING id`,
    [days, limit, toJson(entry('purged'))],
  );
  return rows.length;
}
