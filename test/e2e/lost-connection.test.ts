import { afterAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { closeStack, stackConfig, stackDatabase } from '../harness/api.ts';

afterAll(closeStack);

test('a connection that dies between two statements of a transaction ends the transaction, not the process', async () => {
  const database = openDatabase({ ...stackConfig(), databasePoolSize: 2, sqlLogFile: undefined });
  try {
    const work = database.transaction(async (tx) => {
      const [backend] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const other = stackDatabase();
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
