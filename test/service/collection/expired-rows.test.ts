import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { deleteExpiredKeys, deleteExpiredLimits } from '../../../services/features/collection/expired.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const many = 2500;
const insertKeys = `INSERT INTO idempotency_keys (api_key_id, method, path, idempotency_key, body_hash, holder, locked_until, expires_at)
  SELECT $1, 'POST', '/x', 'k' || n::TEXT, 'h', gen_random_uuid(), now(), now() + $3::INT8 * INTERVAL '1 hour'
  FROM generate_series(1, $2::INT8) AS n`;
const insertLimits = `INSERT INTO rate_limits (key, points, expire)
  SELECT $1 || n::TEXT || ':' || $3::TEXT, 1, $4::INT8 FROM generate_series(1, $2::INT8) AS n`;

/** Runs the work; returns the number of rows of each of its statements. */
async function countBatches(work: (db: Db) => Promise<void>): Promise<number[]> {
  const counts: number[] = [];
  await work({
    async query(sql, params) {
      const rows = await own.db.query<never>(sql, params);
      counts.push(rows.length);
      return rows;
    },
  });
  return counts;
}

const hourMs = 3_600_000;

test.each([
  [
    'idempotency keys',
    deleteExpiredKeys,
    async (name: string, count: number, hours: number) => own.db.query(insertKeys, [name, count, hours]),
    'SELECT idempotency_key FROM idempotency_keys WHERE api_key_id = $1',
  ],
  [
    'counters of limits',
    deleteExpiredLimits,
    async (name: string, count: number, hours: number) =>
      own.db.query(insertLimits, [name, count, hours, Date.now() + hours * hourMs]),
    "SELECT key FROM rate_limits WHERE key LIKE $1 || '%'",
  ],
] as const)('expired %s are removed a bounded number at a time, others stay', async (_what, remove, insert, left) => {
  const name = `test-${randomUUID()}-`;
  await insert(name, many, -2);
  await insert(`${name}fresh-`, 3, 2);
  const counts = await countBatches(remove);
  expect(Math.max(...counts)).toBeLessThanOrEqual(1000);
  expect(await own.db.query(left, [name])).toHaveLength(left.includes('LIKE') ? 3 : 0);
  expect(await own.db.query(left, [`${name}fresh-`])).toHaveLength(3);
});

test('a signal ends it between two batches', async () => {
  const counts = await countBatches((db) => deleteExpiredKeys(db, AbortSignal.abort()));
  expect(counts).toEqual([]);
});
