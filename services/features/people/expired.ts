import type { Db } from '../../core/db.ts';
import { deleteExpired, type ExpiredRows } from '../../engines/sql/delete-expired.ts';

const expired: readonly ExpiredRows[] = [
  ['sessions', 'id', "expires_at < now() - INTERVAL '1 hour' OR seen_at < now() - INTERVAL '8 days'"],
  ['account_links', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['key_requests', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['mails', 'id', "status <> 'queued' AND created_at < now() - INTERVAL '30 days'"],
];

/**
 * Deletes expired sessions, links and requests for keys, and mails older than 30 days that are no longer queued.
 * `signal` stops it between two batches.
 */
export const deleteExpiredAccess = (db: Db, signal?: AbortSignal): Promise<void> => deleteExpired(db, expired, signal);
