import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Config, loadConfig } from '../../services/core/config.ts';

/** A client for administration, with the certificates of the settings. */
async function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { ca, cert, key }: Config['databaseTls'] = loadConfig().databaseTls;
  const address = new URL(url);
  if (ca || cert) address.searchParams.delete('sslmode');
  const client = new pg.Client({ connectionString: address.href, ...(ca || cert ? { ssl: { ca, cert, key } } : {}) });
  client.on('error', () => {}); // told by the query that fails
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What the server says that it is: `CockroachDB …` or `PostgreSQL …`. */
export async function readServerVersion(url: string): Promise<string> {
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ version: string }>('SELECT version() AS version');
    return rows[0]!.version;
  });
}

/**
 * A new database on the server of an address, for one stack: several run in one test run, and none may see another's rows. The
 * address needs the right to create databases. `clauses` are added to CREATE DATABASE.
 */
export async function createOwnDatabase(url: string, clauses = ''): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `fieldstone_test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  await withServer(url, (client) => client.query(`CREATE DATABASE ${name} ${clauses}`));
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    async drop() {
      await withServer(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name}`));
    },
  };
}
