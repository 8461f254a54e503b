import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Config, loadConfig } from '../../services/core/config.ts';

/** Passed from the set-up of the project `service` to its workers (service-setup.ts). */
export interface TemplateServer {
  /** DATABASE_URL of the migrated database, which has no connections. */
  template: string;
  /** The same server, as its administrator. */
  administrator: string;
}

export const templateSetting = 'FIELDSTONE_TEST_TEMPLATE';

/** Connects a client for administration, with the configured certificates. */
async function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { ca, cert, key }: Config['databaseTls'] = loadConfig().databaseTls;
  const address = new URL(url);
  if (ca || cert) address.searchParams.delete('sslmode');
  const client = new pg.Client({ connectionString: address.href, ...(ca || cert ? { ssl: { ca, cert, key } } : {}) });
  client.on('error', () => {}); // the failing query reports the error
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the server's version: `CockroachDB …` or `PostgreSQL …`. */
export async function readServerVersion(url: string): Promise<string> {
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ version: string }>('SELECT version() AS version');
    return rows[0]!.version;
  });
}

/**
 * Creates a database for one stack on the server of this URL: several stacks run in one test run, and none may see
 * another's rows. The URL's user must be allowed to create databases. `clauses` are added to CREATE DATABASE.
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
