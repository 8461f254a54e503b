import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { withLease } from '../../../services/engines/sql/lease.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const leaseMs = 3000;

test('one has the lease at a time; what it did is not due again before its time', async () => {
  const [db, name] = [own.db, `test:${randomUUID()}`];
  const inner = () => withLease(db, name, {}, async () => 'inner');
  expect(await withLease(db, name, {}, inner)).toBeNull();
  expect(await withLease(db, name, { everyMs: 3_600_000 }, async () => 'done')).toBe('done');
  expect(await inner()).toBeNull();
});

test('a renewal that arrives when the lease has been given back does not take it again', async () => {
  const [db, name] = [own.db, `test:${randomUUID()}`];
  const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let working = false;
  let renewing: Promise<unknown> | undefined;
  const slow: Db = {
    query(sql, params) {
      if (!working) return db.query(sql, params);
      const sent = ended.promise.then(() => db.query<never>(sql, params));
      renewing = sent;
      asked.resolve();
      return sent;
    },
  };
  await withLease(slow, name, { leaseMs }, async () => {
    working = true;
    await asked.promise;
    working = false;
  });
  ended.resolve();
  expect(await renewing).toEqual([]);
  expect(await withLease(db, name, {}, async () => 'next')).toBe('next');
});

test('work that fails with its database says what failed', async () => {
  const [db, name] = [own.db, `test:${randomUUID()}`];
  let away = false;
  const failing: Db = { query: (sql, params) => (away ? Promise.reject(new Error('away')) : db.query(sql, params)) };
  const work = withLease(failing, name, {}, () => {
    away = true;
    return Promise.reject(new Error('the work itself'));
  });
  await expect(work).rejects.toThrow('the work itself');
});
