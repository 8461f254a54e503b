import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { readItem } from '../../../services/features/content/read-item.ts';

/** Opens a database that has these items of every site, and records the ids of each statement. */
function open(items: { id: string; trashed_at: Date | null }[]) {
  const statements: string[][] = [];
  const db = {
    query: async (_sql: string, params: [string, string | string[]]) => {
      const ids = Array.isArray(params[1]) ? params[1] : [params[0]]; // of one item, the id comes first
      statements.push(ids);
      return items.filter(({ id }) => ids.includes(id));
    },
  } as unknown as Db;
  return { db, statements };
}

test('concurrent reads of items of one site share a statement, and each gets its own item', async () => {
  const { db, statements } = open(['a', 'b'].map((id) => ({ id, trashed_at: null })));
  const read = await Promise.all(['a', 'b', 'a'].map((id) => readItem(db, 'site', id)));
  expect(read.map(({ id }) => id)).toEqual(['a', 'b', 'a']);
  expect(statements).toEqual([['a', 'b', 'a']]);
});

test('reads of different sites have statements of their own', async () => {
  const { db, statements } = open([{ id: 'a', trashed_at: null }]);
  await Promise.all([readItem(db, 'site', 'a'), readItem(db, 'other', 'a')]);
  expect(statements).toHaveLength(2);
});

test('an item that does not exist, or is in the trash, fails only its own read', async () => {
  const { db } = open([
    { id: 'a', trashed_at: null },
    { id: 'b', trashed_at: new Date() },
  ]);
  const [found, trashed, missing] = await Promise.allSettled(['a', 'b', 'c'].map((id) => readItem(db, 'site', id)));
  expect(found!.status).toBe('fulfilled');
  for (const read of [trashed, missing])
    expect(read).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
});

test('one statement reads at most 32 items', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => String(n));
  const { db, statements } = open(ids.map((id) => ({ id, trashed_at: null })));
  await Promise.all(ids.map((id) => readItem(db, 'site', id)));
  expect(statements.map(({ length }) => length)).toEqual([32, 8]);
});
