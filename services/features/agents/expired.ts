import type { Db } from '../../core/db.ts';
import { deleteExpired, type ExpiredRows } from '../../engines/sql/delete-expired.ts';

const expired: readonly ExpiredRows[] = [
  ['agent_tokens', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['agent_grants', 'id', "expires_at < now() - INTERVAL '1 hour' OR revoked_at < now() - INTERVAL '30 days'"],
  ['agent_clients', 'id', "expires_at < now() - INTERVAL '1 hour'"],
];

/** Deletes expired tokens, grants and clients of agents. `signal` stops it between two batches. */
export const deleteExpiredAgents = (db: Db, signal?: AbortSignal): Promise<void> => deleteExpired(db, expired, signal);
