import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { classify, describeStatement } from '../../../services/engines/sql/statement.ts';

test.each([
  ['SELECT id FROM sites WHERE slug = $1', 'select', 'sites'],
  ['  select 1 as one', 'select', null],
  ['SELECT id FROM jobs WHERE id = $1 FOR UPDATE OF jobs', 'select', 'jobs'],
  ['INSERT INTO jobs (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id', 'insert', 'jobs'],
  ['UPDATE deliveries AS d SET status = $1 FROM jobs j WHERE j.id = d.job_id', 'update', 'deliveries'],
  ['DELETE FROM releases WHERE id = $1', 'delete', 'releases'],
  ['WITH n AS (UPDATE integrations SET a = 1 RETURNING id) SELECT id FROM n', 'update', 'integrations'],
  ['WITH n AS (SELECT 1) SELECT id FROM content', 'select', 'content'],
  ['SELECT k.id, ARRAY(SELECT m.role FROM site_members m) AS roles FROM api_keys k', 'select', 'api_keys'],
  ['SELECT count(*) FROM (SELECT id FROM media) AS n', 'select', 'media'],
  ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'begin', null],
  ['COMMIT', 'commit', null],
  ['ROLLBACK', 'rollback', null],
  ['CREATE TABLE IF NOT EXISTS x (id INT8)', 'other', null],
])('%s', (sql, operation, table) => {
  expect(classify(sql)).toEqual({ operation, table });
});

test('a migration is never told by its text', () => {
  const folder = path.join(import.meta.dirname, '../../../services/engines/sql/migrations');
  for (const name of readdirSync(folder)) {
    const { operation } = classify(readFileSync(path.join(folder, name), 'utf8'));
    expect(['select', 'insert', 'update', 'delete', 'other']).toContain(operation);
  }
});

test('values written into a text by mistake do not get into the name of its span', () => {
  const { span, attributes } = describeStatement("SELECT * FROM users WHERE email = 'ada@example.com'");
  expect(JSON.stringify({ span, attributes })).not.toContain('ada');
  expect(span).toBe('SQL select users');
});
