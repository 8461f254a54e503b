import { expect, test } from '@jest/globals';
import { deleteExpiredChanges } from '../../../services/features/audit/sql.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const insert = (count: number, days: number) =>
  own.db.query(
    `INSERT INTO audit_log (operation, via, created_at)
     SELECT 'test', 'cli', now() - $2::INT8 * INTERVAL '1 day' FROM generate_series(1, $1::INT8)`,
    [count, days],
  );

// rule: beyond.20
test('changes older than they are kept are removed a bounded number at a time, others stay', async () => {
  await insert(2500, 401);
  await insert(3, 399);
  const counts: number[] = [];
  const counting = {
    async query<Row extends object>(sql: string, params?: readonly unknown[]) {
      const rows = await own.db.query<Row>(sql, params as never);
      counts.push(rows.length);
      return rows;
    },
  };
  expect(await deleteExpiredChanges(counting, 400)).toBe(2500);
  expect(counts).toEqual([1000, 1000, 500]);
  expect(await own.db.query('SELECT id FROM audit_log')).toHaveLength(3);
});

test('a signal ends it between two batches', async () => {
  await insert(1500, 500);
  expect(await deleteExpiredChanges(own.db, 400, AbortSignal.abort())).toBe(0);
});
