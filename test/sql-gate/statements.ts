import { existsSync, readFileSync } from 'node:fs';
import { listCockroachMigrations, listMigrations } from '../../services/engines/sql/migrate.ts';
import { statementsFile } from '../harness/stack.ts';

export interface Statement {
  /** A migration's file name, or the beginning of what the program sent. */
  name: string;
  sql: string;
}

const nameLength = 110;

/** Every SQL text that the roles sent while the stack tests last ran, once each. Throws when there is no record of a run. */
export function readSentStatements(): Statement[] {
  if (!existsSync(statementsFile)) throw new Error('There is no record of statements: run the stack tests first.');
  const lines = new Set(readFileSync(statementsFile, 'utf8').split('\n').filter(Boolean));
  return [...lines].map((line) => {
    const sql = JSON.parse(line) as string;
    return { name: sql.replace(/\s+/g, ' ').trim().slice(0, nameLength), sql };
  });
}

/** Every migration, those that only CockroachDB runs included. */
export async function readMigrations(): Promise<Statement[]> {
  return [...(await listMigrations()), ...(await listCockroachMigrations())];
}
