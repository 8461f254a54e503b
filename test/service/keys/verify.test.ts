import { beforeAll, expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { createKeyVerifier } from '../../../services/features/keys/index.ts';
import { createKey, revokeKey } from '../../../services/features/keys/service.ts';
import { ensureFirstAdministrator } from '../../../services/features/users/index.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

beforeAll(async () => {
  await ensureFirstAdministrator(own.db);
}, 120_000);

/** A database that counts reads of keys, and keeps the results of those of `held` from their callers until it resolves. */
function watched() {
  const seen = { reads: 0, held: Promise.resolve() };
  const query: Db['query'] = async (sql, params) => {
    const { held } = seen;
    const isRead = sql.trimStart().startsWith('SELECT');
    const rows = await own.db.query(sql, params);
    if (isRead) {
      seen.reads++;
      await held;
    }
    return rows as never;
  };
  return { seen, db: { query } };
}

const log = { warn: () => undefined };

// rule: auth.5
test('concurrent requests share a statement that is sent after all of them arrived', async () => {
  const { id, key } = await createKey(own.db, { name: 'shared', scopes: ['admin'], sites: ['*'] });
  const { seen, db } = watched();
  const { verify } = createKeyVerifier(db, log);
  expect(await verify(key, null)).toMatchObject({ key: { id } });

  const { promise, resolve } = Promise.withResolvers<void>();
  seen.held = promise;
  const before = verify(key, null);
  while (seen.reads < 2) await new Promise(setImmediate);
  await revokeKey(own.db, id);
  const after = Array.from({ length: 10 }, () => verify(key, null));
  resolve();
  expect(await before).toMatchObject({ key: { id } });
  expect(await Promise.all(after)).toEqual(Array(10).fill(null));
  expect(seen.reads).toBe(3);
});
