import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Db } from '../core/db.ts';
import { rememberFor } from '../core/single-flight.ts';
import { maxCounted, type QueueRow, selectBacklog } from '../features/health/index.ts';

/** Minimum interval between queries, whatever the number of scrapes. */
const freshMs = 10_000;
/** A slow database must not delay the other metrics. */
const maxWaitMs = 2000;

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
