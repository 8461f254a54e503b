import type { Db } from '../../core/db.ts';

export const queues = ['jobs', 'jobs_retried', 'deliveries', 'events', 'media'] as const;

/** The work of one kind that waits in the whole installation. */
export interface QueueRow {
  queue: (typeof queues)[number];
  waiting: number;
  oldest_seconds: number;
}

/** Rows are counted up to this number; a larger backlog needs no exact figure. */
export const maxCounted = 10_000;

/** Counts waiting work with partial indexes, so that the cost does not grow with finished work. */
export function selectBacklog(db: Db): Promise<QueueRow[]> {
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
