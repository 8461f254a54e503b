import type { Statement } from './statements.ts';

/** Patterns that are not allowed although they parse, with the reasons. */
const denied: [RegExp, string][] = [
  [/pg_(try_)?advisory/i, 'advisory locks are undefined or do nothing on CockroachDB'],
  [/\b(LISTEN|NOTIFY)\b/, 'LISTEN and NOTIFY do not exist on CockroachDB'],
  [/\bxmin\b|\bctid\b/i, 'system columns of PostgreSQL'],
  [/\b(BIG|SMALL)?SERIAL\b/i, 'SERIAL makes one hot range'],
  [/NULLS NOT DISTINCT|\bDEFERRABLE\b|\bEXCLUDE USING\b|\bINHERITS\b/i, 'a constraint that CockroachDB lacks'],
  [/\bMERGE INTO\b|\bLOCK TABLE\b|\bVACUUM\b|RESTART IDENTITY/i, 'a statement that CockroachDB lacks'],
  [/COLLATE "C"/i, 'a collation that CockroachDB lacks'],
  [/websearch_to_tsquery|ts_rank_cd|setweight/i, 'full-text functions that CockroachDB lacks'],
  [/CREATE (OR REPLACE )?(TRIGGER|FUNCTION|PROCEDURE|RULE|DOMAIN)\b/i, 'logic stays in the program'],
  [/\bSELECT \*/i, 'columns are listed, for a prepared statement outlives a schema change'],
  [/SAVEPOINT cockroach_restart/i, 'whole transactions are retried'],
  [/ON CONFLICT\s*\([^)]*\([^)]*\)[^)]*\)/i, 'expressions in a conflict target'],
  [/\bAS OF SYSTEM TIME\b/i, 'follower reads stand behind a dialect switch'],
];

/** Returns one line for each statement and rule that it violates; empty when all pass. */
export function applyDenyList(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ name, sql }) =>
    denied.filter(([pattern]) => pattern.test(sql)).map(([, reason]) => `${name}: ${reason}\n  ${sql.slice(0, 300)}`),
  );
}
