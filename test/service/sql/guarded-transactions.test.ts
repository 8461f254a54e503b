import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withHeldObjects } from '../../../services/engines/objects/held-objects.ts';
import { openObjectStore } from '../../../services/engines/objects/store.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const openStore = () =>
  openObjectStore({ engine: 'files', folder: path.join(own.folder, 'objects'), minFreeBytes: 0 }, own.db);

test('the databases of tests guard their transactions: a request to the object store inside one fails', async () => {
  const store = openStore();
  const hash = await store.putBytes(Buffer.from('before'));
  const violation = own.db.transaction(async (tx) => {
    await tx.query('SELECT 1 AS one');
    return store.getBytes(hash);
  });
  await expect(violation).rejects.toThrow('A request to the object store (getBytes) inside a transaction');
  await expect(own.db.transaction(() => store.putBytes(Buffer.from('inside')))).rejects.toThrow('inside a transaction');
  await expect(own.db.transaction((tx) => store.pin(tx, [hash]))).resolves.toBeDefined();
});

test('what a transaction shows is read outside of it, and its statements take effect once', async () => {
  const store = openStore();
  const hash = await store.putBytes(Buffer.from('shown'));
  await own.db.query('CREATE TABLE shown (hash TEXT)');
  const shown = await withHeldObjects(store, (held) =>
    own.db.transaction(async (tx) => {
      await tx.query('INSERT INTO shown (hash) VALUES ($1)', [hash]);
      return String(await held.getBytes(hash));
    }),
  );
  expect(shown).toBe('shown');
  expect(await own.db.query('SELECT hash FROM shown')).toEqual([{ hash }]);
});
