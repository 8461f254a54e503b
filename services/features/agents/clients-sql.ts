import type { Db } from '../../core/db.ts';

/** A client of the authorization server: a registration, or a client metadata document that was fetched. */
export interface Client {
  /** The client_id. */
  id: string;
  name: string;
  redirect_uris: string[];
}

/** Returns the client, or undefined if it is unknown or has expired. */
export async function selectClient(db: Db, id: string): Promise<Client | undefined> {
  const rows = await db.query<Client>(
    'SELECT id, name, redirect_uris FROM agent_clients WHERE id = $1 AND expires_at > now()',
    [id],
  );
  return rows[0];
}

/** Stores a client for `seconds`; replaces the one with the same id. */
export async function storeClient(db: Db, { id, name, redirect_uris }: Client, seconds: number): Promise<void> {
  await db.query(
    `INSERT INTO agent_clients (id, name, redirect_uris, expires_at)
     VALUES ($1, $2, $3, now() + $4::FLOAT8 * INTERVAL '1 second')
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
       expires_at = excluded.expires_at`,
    [id, name, redirect_uris, seconds],
  );
}

/** Keeps a registration for `seconds` from now. */
export async function extendClient(db: Db, id: string, seconds: number): Promise<void> {
  await db.query(
    "UPDATE agent_clients SET expires_at = now() + $2::FLOAT8 * INTERVAL '1 second' WHERE id = $1 AND expires_at > now()",
    [id, seconds],
  );
}
