import { expect, test } from '@jest/globals';
import { listCockroachMigrations, migrate } from '../../../services/engines/sql/migrate.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

test('what only CockroachDB takes is left out on another database, even when asked for', async () => {
  const { db } = own;
  const [row] = await db.query<{ version: string }>('SELECT version() AS version');
  const names = (await listCockroachMigrations()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  await migrate(db, { cockroachTuning: true });
  const done = await db.query<{ name: string }>("SELECT name FROM schema_migrations WHERE name LIKE 'cockroach/%'");
  expect(done.map(({ name }) => name).sort()).toEqual(row!.version.startsWith('CockroachDB') ? names : []);
});
