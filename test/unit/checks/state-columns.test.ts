import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const root = path.join(import.meta.dirname, '../../..');

/** The only file that writes the states of a table, and the columns that only its statements may name. */
const machines: Record<string, { file: string; columns: readonly string[] }> = {
  deliveries: {
    file: 'services/features/inbound/delivery-state.ts',
    columns: ['status', 'attempts', 'next_attempt_at', 'finished_at', 'purged_at', 'claim'],
  },
  jobs: {
    file: 'services/features/publishing/jobs/job-state.ts',
    columns: ['status', 'stage', 'done', 'total', 'error', 'refused_as', 'refused_since', 'started_at', 'finished_at'],
  },
  media: { file: 'services/features/media/media-state.ts', columns: ['status', 'work', 'progress', 'error'] },
};

/** Files that write to a table whose name is a variable, with the reason why they may. */
const anyTable: Record<string, string> = {
  'services/features/backups/rows.ts': 'a restore inserts rows as the backup has them, whatever their state',
  'services/features/signing-secrets.ts': 'it writes the secrets of integrations and of event endpoints alone',
};

interface Write {
  file: string;
  table: string;
  sql: string;
}

/** Returns the SQL text that begins here, up to the end of its string. */
function statementAt(text: string, index: number): string {
  const quote = text[index - 1] === "'" || text[index - 1] === '"' ? text[index - 1]! : '`';
  return text.slice(index, text.indexOf(quote, index));
}

/** Returns every INSERT and UPDATE in this source text. */
function writesIn(file: string, text: string): Write[] {
  return [...text.matchAll(/\b(?:INSERT INTO|UPDATE)\s+(?:ONLY\s+)?"?(\w+|\$\{)/gi)].map((match) => ({
    file,
    table: match[1]!,
    sql: statementAt(text, match.index),
  }));
}

/** Whether a statement names one of these columns, or may, because its columns are a variable. */
function names(sql: string, columns: readonly string[]): boolean {
  const assigned = /\bSET\b(.*?)(?:\bWHERE\b|$)/is.exec(sql)?.[1] ?? '';
  return assigned.includes('${') || columns.some((column) => new RegExp(`\\b${column}\\b`, 'i').test(sql));
}

const strays = (writes: readonly Write[]) =>
  writes.filter(({ file, table, sql }) => {
    if (table === '${') return !(file in anyTable);
    const machine = machines[table.toLowerCase()];
    return machine !== undefined && machine.file !== file && names(sql, machine.columns);
  });

const writes = globSync('services/**/*.ts', { cwd: root }).flatMap((file) =>
  writesIn(file, readFileSync(path.join(root, file), 'utf8')),
);

test.each(Object.entries(machines))('only one file writes the states of %s', (table, { file }) => {
  expect(writes.some((write) => write.table === table && write.file === file)).toBe(true);
  expect(strays(writes).filter((write) => write.table === table)).toEqual([]);
});

test('only named files write tables whose name is a value', () => {
  expect(strays(writes).filter(({ table }) => table === '${')).toEqual([]);
  for (const file of Object.keys(anyTable)) expect(writes.map((write) => write.file)).toContain(file);
});

test.each([
  ["await db.query('UPDATE deliveries SET status = $1 WHERE id = $2', []);", 1],
  ['db.query(`WITH a AS (SELECT 1)\n INSERT INTO deliveries (id, status) VALUES ($1, $2)`);', 1],
  ['db.query(`UPDATE deliveries AS d\n SET finished_at = now() WHERE id = $1`);', 1],
  ['db.query(`UPDATE deliveries SET \x24{assignments} WHERE id = $1`);', 1],
  ['db.query(`UPDATE \x24{table} SET a = 1`);', 1],
  ['db.query(`UPDATE deliveries SET mapped = $2 WHERE id = $1`); const status = 1;', 0],
  ['db.query(`SELECT status FROM deliveries WHERE id = $1 FOR UPDATE OF d`);', 0],
])('another file with %j has %d such statements', (text, count) => {
  expect(strays(writesIn('services/features/other.ts', text))).toHaveLength(count);
});
