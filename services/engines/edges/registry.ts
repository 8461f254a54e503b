import type { Db } from '../../core/db.ts';

/** An edge process that may serve data from its cache, and where it receives pushes. */
export interface RegisteredEdge {
  id: string;
  url: string;
}

/** The newest format of manifests that this version's edges read. Rows of earlier versions have 1. */
const manifestFormat = 2;

/** A row counts for longer than its lease, because the nodes of a database may have different times. */
const clockMarginMs = 1000;

/** Registers an edge for `leaseMs` from now, or renews its lease. */
export async function registerEdge(db: Db, { id, url }: RegisteredEdge, leaseMs: number): Promise<void> {
  await db.query(
    `INSERT INTO edges (id, url, manifest_format, expires_at)
     VALUES ($1, $2, $4, now() + $3::INT8 * INTERVAL '1 millisecond')
     ON CONFLICT (id) DO UPDATE
       SET url = excluded.url, manifest_format = excluded.manifest_format, expires_at = excluded.expires_at`,
    [id, url, leaseMs, manifestFormat],
  );
}

/** Ends the registration of an edge that serves no more. */
export async function removeEdge(db: Db, id: string): Promise<void> {
  await db.query('DELETE FROM edges WHERE id = $1', [id]);
}

/** Deletes the rows of edges that ended without removing theirs. */
export async function removeExpiredEdges(db: Db): Promise<void> {
  await db.query(`DELETE FROM edges WHERE expires_at < now() - INTERVAL '1 hour'`);
}

/** Lists the edges that may serve data from their caches. */
export async function listEdges(db: Db): Promise<RegisteredEdge[]> {
  return db.query<RegisteredEdge>(
    `SELECT id, url FROM edges WHERE expires_at > now() - $1::INT8 * INTERVAL '1 millisecond'`,
    [clockMarginMs],
  );
}

/**
 * Whether manifests and traces may be written in chunks, which processes of earlier versions do not read: an edge is
 * registered, every edge that was registered within the last hour reads chunks, and an upgrade from such a version began at
 * least an hour ago (`installation.chunks_from`), so that its gateways and workers have ended too.
 */
export async function mayWriteChunks(db: Db): Promise<boolean> {
  const [row] = await db.query<{ allowed: boolean }>(
    `SELECT COALESCE(bool_and(e.manifest_format >= $1::INT8), false)
       AND COALESCE(bool_or(e.expires_at > now() - $2::INT8 * INTERVAL '1 millisecond'), false)
       AND NOT EXISTS (SELECT 1 FROM installation i WHERE i.chunks_from > now()) AS allowed
     FROM edges e WHERE e.expires_at > now() - INTERVAL '1 hour'`,
    [manifestFormat, clockMarginMs],
  );
  return row!.allowed;
}
