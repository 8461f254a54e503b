import { existsSync, readFileSync } from 'node:fs';
import { listCockroachMigrations, listMigrations } from '../../services/engines/sql/migrate.ts';
import { statementsFile } from '../harness/stack.ts';

export interface Statement {
  /** A migration's file name, or the beginning of the program's statement. */
  name: string;
  sql: string;
}

const nameLength = 110;

/**
 * Returns the text of every SQL statement that the roles sent in the last run of the stack tests, once each. Throws
 * without a recorded run.
 */
export function readSentStatements(): Statement[] {
  if (!existsSync(statementsFile)) throw new Error('No statements are recorded: run `npm test -- stack` first.');
  const lines = new Set(readFileSync(statementsFile, 'utf8').split('\n').filter(Boolean));
  return [...lines].map((line) => {
    const sql = JSON.parse(line) as string;
    return { name: sql.replace(/\s+/g, ' ').trim().slice(0, nameLength), sql };
  });
}

/** Returns every migration, including those for CockroachDB only. */
export async function readMigrations(): Promise<Statement[]> {
  return [...(await listMigrations()), ...(await listCockroachMigrations())];
}
