import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { problem } from '../../../services/core/errors.ts';
import { openDatabase } from '../../../services/engines/sql/database.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';
import { startTcpProxy } from '../../harness/tcp-proxy.ts';

const own = provideOwnDatabase();

/** Opens a database with one connection, so that the next statement would get what a failure leaves on it. */
const openOne = (databaseUrl: string) => openDatabase({ ...loadConfig(), databaseUrl, databasePoolSize: 1 });

test('what ended a transaction is told, also when the connection is gone by then', async () => {
  const address = new URL(own.url);
  await using proxy = await startTcpProxy(address.hostname, Number(address.port));
  address.host = `127.0.0.1:${proxy.port}`;
  const database = openOne(address.href);
  try {
    const work = database.transaction(async (tx) => {
      await tx.query('SELECT 1 AS one');
      proxy.cut();
      throw problem('conflict', 'The first error.');
    });
    await expect(work).rejects.toMatchObject({ code: 'conflict', message: 'The first error.' });
    proxy.restore();
    expect(await database.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  } finally {
    await database.close();
  }
});

test.each([
  ['a number that is read as none of ours', 'SELECT 9007199254740993::INT8 AS n', [], RangeError],
  ['a value that cannot be sent', 'SELECT $1::TEXT AS n', [{ n: 1n } as unknown as string], TypeError],
])('%s is an error of its own, and no database that is down', async (_what, sql, values, kind) => {
  const database = openOne(own.url);
  try {
    await expect(database.query(sql, values)).rejects.toBeInstanceOf(kind);
    await expect(database.transaction((tx) => tx.query(sql, values))).rejects.toBeInstanceOf(kind);
    expect(await database.query('SELECT $1::TEXT AS n', ['y'])).toEqual([{ n: 'y' }]);
  } finally {
    await database.close();
  }
});

test('a connection that dies between two statements of a transaction ends the transaction, not the process', async () => {
  const database = openDatabase({ ...loadConfig(), databaseUrl: own.url, databasePoolSize: 2 });
  try {
    const work = database.transaction(async (tx) => {
      const [backend] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const other = own.db;
      await other.query('SELECT pg_terminate_backend($1::INT)', [backend!.pid]);
      const isGone = () => other.query('SELECT 1 AS one FROM pg_stat_activity WHERE pid = $1::INT', [backend!.pid]);
      while ((await isGone()).length > 0);
      await new Promise((resolve) => setImmediate(resolve));
      await tx.query('SELECT 1 AS one');
    });
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    expect(await database.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  } finally {
    await database.close();
  }
});
