import type { Db } from '../../core/db.ts';
import type { EventRow, LogEntry } from './events-sql.ts';
import type { EventStatus } from './schema.ts';

/** An event that this run sends. */
export interface ClaimedEvent extends Pick<EventRow, 'id' | 'endpoint_id' | 'attempts' | 'log'> {
  payload: string;
  claim: string;
}

/** An event in progress is due again after this time, in case the actor itself is lost. */
const sendingSeconds = 60;

/**
 * Claims events of an endpoint that are due, the earliest first. Also claims events left by another run: the actor runs
 * one at a time, so that run is dead, or has lost its claim. An attempt claimed again is not counted twice.
 */
export async function claimEvents(db: Db, endpointId: string, claim: string, limit: number): Promise<ClaimedEvent[]> {
  return db.query<ClaimedEvent>(
    `UPDATE events SET status = 'sending', claim = $2::UUID, due_at = now() + $4::INT8 * INTERVAL '1 second',
       attempts = attempts + CASE WHEN status = 'sending' THEN 0 ELSE 1 END
     WHERE id IN (
       SELECT id FROM events
       WHERE endpoint_id = $1 AND due_at IS NOT NULL
         AND CASE WHEN status = 'sending' THEN claim IS DISTINCT FROM $2::UUID ELSE due_at <= now() END
       ORDER BY due_at LIMIT $3)
     RETURNING id, endpoint_id, attempts, log, payload, claim`,
    [endpointId, claim, limit, sendingSeconds],
  );
}

interface AttemptEnd {
  status: EventStatus;
  error: string | null;
  /** Delay before the next attempt; null if none follows. */
  retryMs: number | null;
  log: LogEntry[];
}

/** Ends an attempt of an event that this run still holds; otherwise does nothing. */
export async function endSending(db: Db, { id, claim }: ClaimedEvent, end: AttemptEnd): Promise<void> {
  await db.query(
    `UPDATE events SET status = $3, error = $4, log = $5::JSONB, claim = NULL,
       due_at = CASE WHEN $6::FLOAT8 IS NULL THEN NULL ELSE now() + $6::FLOAT8 * INTERVAL '1 millisecond' END,
       finished_at = CASE WHEN $6::FLOAT8 IS NULL THEN now() ELSE NULL END
     WHERE id = $1 AND claim = $2 AND status = 'sending'`,
    [id, claim, end.status, end.error, JSON.stringify(end.log), end.retryMs],
  );
}

/** Releases the events that a run still holds: the attempts are not counted, and another run may start at once. */
export async function releaseEvents(db: Db, claim: string, endpointId: string): Promise<void> {
  await db.query(
    `UPDATE events SET status = 'queued', claim = NULL, due_at = now(), attempts = attempts - 1
     WHERE endpoint_id = $2 AND claim = $1 AND status = 'sending'`,
    [claim, endpointId],
  );
}

/** Returns the milliseconds until the next event of an endpoint is due (0 or less: now), or null when none waits. */
export async function selectNextEventMs(db: Db, endpointId: string): Promise<number | null> {
  const [row] = await db.query<{ due_ms: number | null }>(
    `SELECT (EXTRACT(EPOCH FROM min(due_at) - now()) * 1000)::FLOAT8 AS due_ms
     FROM events WHERE endpoint_id = $1 AND due_at IS NOT NULL`,
    [endpointId],
  );
  return row?.due_ms ?? null;
}

/** Returns the endpoints with events that are due, whose actors should be awake. */
export async function selectEndpointsToWake(db: Db): Promise<string[]> {
  const rows = await db.query<{ endpoint_id: string }>(
    'SELECT DISTINCT endpoint_id FROM events WHERE due_at IS NOT NULL AND due_at <= now()',
  );
  return rows.map((row) => row.endpoint_id);
}
