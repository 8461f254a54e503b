import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import type { ContentRow } from '../../../services/features/content/row.ts';
import {
  insertContent,
  purgeContentRow,
  restoreContentRow,
  trashContentRow,
  updateContentRow,
} from '../../../services/features/content/sql.ts';

const writesContent = /\b(?:INSERT INTO|UPDATE|DELETE FROM) content\b(?!_)/;
const services = path.join(import.meta.dirname, '..', '..', '..', 'services');

/** Returns the statement that `work` sends. */
async function sqlOf(work: (db: Db) => Promise<unknown>): Promise<string> {
  const sent: string[] = [];
  const query = async (text: string) => {
    sent.push(text);
    return [];
  };
  await work({ query: query as never });
  return sent.join('\n');
}

test('every statement that writes an item records the write, except the purge of a trashed one', async () => {
  const row = { id: 'id', site_id: 'site', revision: 1, trashed_at: null } as ContentRow;
  const by = { changedBy: 'test', createdBy: null };
  const recorded = await Promise.all([
    sqlOf((db) => insertContent(db, 'id', 'site', row, '', by)),
    sqlOf((db) => updateContentRow(db, row, row, 'test')),
    sqlOf((db) => trashContentRow(db, row)),
    sqlOf((db) => restoreContentRow(db, row, 'slug', 'test')),
  ]);
  for (const text of recorded) expect(text).toMatch(writesContent);
  for (const text of recorded) expect(text).toContain('INSERT INTO content_changes');
  expect(await sqlOf((db) => purgeContentRow(db, 'site', 'id'))).toContain('trashed_at IS NOT NULL');
});

test('no other file has a statement that writes items', () => {
  const files = readdirSync(services, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const writing = files.filter((file) => writesContent.test(readFileSync(path.join(services, file), 'utf8')));
  expect(writing).toEqual([path.join('features', 'content', 'sql.ts')]);
  const statements = readFileSync(path.join(services, writing[0]!), 'utf8').match(new RegExp(writesContent, 'g'));
  expect(statements).toHaveLength(5);
});
