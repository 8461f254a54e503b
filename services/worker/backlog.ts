import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Db } from '../core/db.ts';
import { rememberFor } from '../core/single-flight.ts';

interface QueueRow {
  queue: string;
  waiting: number;
  oldest_seconds: number;
}

/** Rows are counted up to this number; a larger backlog needs no exact figure. */
const maxCounted = 10_000;
/** Minimum interval between queries, whatever the number of scrapes. */
const freshMs = 10_000;
/** A slow database must not delay the other metrics. */
const maxWaitMs = 2000;

/** Counts waiting work with partial indexes, so that the cost does not grow with finished work. */
function selectBacklog(db: Db): Promise<QueueRow[]> {
  return db.query<QueueRow>(
    `SELECT 'jobs' AS queue, count(*) AS waiting,
       COALESCE(EXTRACT(EPOCH FROM now() - min(j.since)), 0)::FLOAT8 AS oldest_seconds
     FROM (SELECT created_at AS since FROM jobs WHERE status IN ('queued', 'running') LIMIT $1) j
     UNION ALL
     SELECT 'jobs_retried', count(*), COALESCE(EXTRACT(EPOCH FROM now() - min(r.since)), 0)::FLOAT8
     FROM (SELECT created_at AS since FROM jobs WHERE status IN ('queued', 'running') AND error IS NOT NULL LIMIT $1) r
     UNION ALL
     SELECT 'deliveries', count(*), COALESCE(EXTRACT(EPOCH FROM now() - min(d.since)), 0)::FLOAT8
     FROM (SELECT received_at AS since FROM deliveries
       WHERE status IN ('queued', 'processing') OR next_attempt_at IS NOT NULL LIMIT $1) d
     UNION ALL
     SELECT 'events', count(*), COALESCE(EXTRACT(EPOCH FROM now() - min(e.since)), 0)::FLOAT8
     FROM (SELECT created_at AS since FROM events WHERE due_at IS NOT NULL LIMIT $1) e
     UNION ALL
     SELECT 'media', count(*), COALESCE(EXTRACT(EPOCH FROM now() - min(m.since)), 0)::FLOAT8
     FROM (SELECT created_at AS since FROM media WHERE work IS NOT NULL LIMIT $1) m`,
    [maxCounted],
  );
}

/**
 * Registers metrics of the work that waits in the whole installation, read from SQL. Each worker reports the same
 * values, so a query must take the maximum, not the sum. While the database does not respond there are no values.
 */
export function registerBacklog(db: Db): void {
  const readBacklog = rememberFor(freshMs, () => selectBacklog(db).catch(() => []));
  const read = () => Promise.race([readBacklog(), sleep(maxWaitMs, [], { ref: false })]);
  function show(name: string, help: string, value: (row: QueueRow) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      async collect() {
        this.reset();
        for (const row of await read()) this.set({ queue: row.queue }, value(row));
      },
    });
  }
  show(
    'fieldstone_backlog',
    `Waiting jobs, deliveries, events and media in the whole installation, including later retries. jobs_retried: jobs whose builds are retried because of an engine. Counted up to ${maxCounted}.`,
    (row) => row.waiting,
  );
  show(
    'fieldstone_backlog_oldest_seconds',
    'Time that the oldest item of the queue has waited.',
    (row) => row.oldest_seconds,
  );
}
