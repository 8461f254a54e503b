import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { openDatabase } from '../../../services/engines/sql/database.ts';
import { type OwnDatabase, openOwnDatabase } from '../../harness/own-database.ts';
import { startTcpProxy } from '../../harness/tcp-proxy.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await openOwnDatabase();
  await own.db.query('CREATE TABLE queued (n INT8 PRIMARY KEY)');
}, 120_000);
beforeEach(() => own.db.query('DELETE FROM queued'));
afterAll(() => own?.close());

const insert = 'INSERT INTO queued (n) VALUES ($1)';
const readAll = async () => (await own.db.query<{ n: number }>('SELECT n FROM queued ORDER BY n')).map(({ n }) => n);

test('a queued statement commits with its transaction', async () => {
  const result = await own.db.transaction(async (tx) => {
    await tx.query(insert, [1]);
    tx.queue(insert, [2]);
    return 'done';
  });
  expect(result).toBe('done');
  expect(await readAll()).toEqual([1, 2]);
});

test('an error of a queued statement is that of the transaction, which changes nothing', async () => {
  const failing = (then: (tx: Parameters<Parameters<typeof own.db.transaction>[0]>[0]) => Promise<unknown>) =>
    own.db.transaction(async (tx) => {
      await tx.query(insert, [1]);
      tx.queue(insert, [1]);
      await then(tx);
    });
  await expect(failing(async () => undefined)).rejects.toMatchObject({ code: '23505' });
  await expect(failing((tx) => tx.query(insert, [2]))).rejects.toMatchObject({ code: '23505' });
  await expect(failing(() => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
  expect(await readAll()).toEqual([]);
});

test('a transaction whose work fails before its first statement leaves a usable connection', async () => {
  const database = openDatabase({ ...loadConfig(), databaseUrl: own.url, databasePoolSize: 1 });
  try {
    await expect(database.transaction(() => Promise.reject(new Error('at once')))).rejects.toThrow('at once');
    await database.transaction((tx) => tx.query(insert, [3]));
    expect(await readAll()).toEqual([3]);
  } finally {
    await database.close();
  }
});

test('a connection that is lost before a transaction begins makes it unavailable, and changes nothing', async () => {
  const address = new URL(own.url);
  await using proxy = await startTcpProxy(address.hostname, Number(address.port));
  address.host = `127.0.0.1:${proxy.port}`;
  const database = openDatabase({ ...loadConfig(), databaseUrl: address.href, databasePoolSize: 1 });
  try {
    await database.ping();
    proxy.cut();
    const work = database.transaction((tx) => tx.query(insert, [4]));
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    proxy.restore();
    expect(await readAll()).toEqual([]);
    await database.transaction((tx) => tx.query(insert, [5]));
    expect(await readAll()).toEqual([5]);
  } finally {
    await database.close();
  }
});
