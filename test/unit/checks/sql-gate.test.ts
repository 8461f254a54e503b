import { describe, expect, test } from '@jest/globals';
import { applyDenyList } from '../../sql-gate/deny-list.ts';
import { digestOf } from '../../sql-gate/digests.ts';

describe('the digest of a statement', () => {
  test('does not change with indentation and empty lines', () => {
    expect(digestOf('SELECT id\n  FROM   site\n\n WHERE id = $1 ')).toBe(
      digestOf('SELECT id\nFROM site\nWHERE id = $1'),
    );
  });

  test('changes with a word, and with a line end, which may end a comment', () => {
    expect(digestOf('SELECT id FROM site')).not.toBe(digestOf('SELECT id FROM sites'));
    expect(digestOf('SELECT id -- one\nFROM site')).not.toBe(digestOf('SELECT id -- one FROM site'));
  });
});

test.each([
  ['SELECT pg_try_advisory_lock(1)', 'advisory locks are undefined or do nothing on CockroachDB'],
  ['SELECT * FROM site', 'columns are listed, for a prepared statement outlives a schema change'],
  ['INSERT INTO a (b) VALUES (1) ON CONFLICT (lower(b)) DO NOTHING', 'expressions in a conflict target'],
])('%s is refused, and the reason is told', (sql, reason) => {
  expect(applyDenyList([{ name: 'one', sql }])).toEqual([`one: ${reason}\n  ${sql}`]);
});

test('a statement that both engines take is not refused', () => {
  const sql = 'INSERT INTO site (id) VALUES ($1) ON CONFLICT (id) DO NOTHING';
  expect(applyDenyList([{ name: 'one', sql }])).toEqual([]);
});
