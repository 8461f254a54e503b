import type { Db } from '../../core/db.ts';
import type { SealedRow } from '../signing-secrets.ts';

/** The columns of an integration that the endpoint needs. */
export interface Endpoint extends SealedRow {
  site_id: string;
}

/** Selects the enabled integrations with these slugs, by slug. */
async function selectEndpoints(db: Db, slugs: readonly string[]): Promise<Map<string, Endpoint>> {
  const rows = await db.query<Endpoint & { slug: string }>(
    `SELECT slug, id, site_id, secret, previous_secret, previous_until FROM integrations
     WHERE slug = ANY($1::TEXT[]) AND enabled`,
    [slugs],
  );
  return new Map(rows.map((row) => [row.slug, row]));
}

interface Waiting {
  slug: string;
  resolve: (endpoint: Endpoint | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates a function that finds enabled integrations by slug. It reads them for every request, so that disabling and
 * rotating take effect immediately. Requests that arrive during a read share the next one, which starts after all of
 * them, so none gets outdated data.
 */
export function createEndpointFinder(db: Db) {
  let waiting: Waiting[] = [];
  let busy = false;

  async function read(batch: Waiting[]): Promise<void> {
    try {
      const found = await selectEndpoints(db, [...new Set(batch.map(({ slug }) => slug))]);
      for (const { slug, resolve } of batch) resolve(found.get(slug));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await read(batch);
    }
    busy = false;
  }

  return function findEndpoint(slug: string): Promise<Endpoint | undefined> {
    return new Promise((resolve, reject) => {
      waiting.push({ slug, resolve, reject });
      if (!busy) void drain();
    });
  };
}
