import { createHash } from 'node:crypto';
import type { EngineRequest } from '../metrics.ts';

export interface Statement extends EngineRequest {
  /** The name of the prepared statement, which is prepared once per connection. */
  name: string;
}

const operations = ['select', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback'];
const changed = /\b(?:insert into|update|delete from)\s+(\w+)/i;
const read = /\bfrom\s+(\w+)/i;

/** Removes everything in parentheses, so that a select from subqueries is attributed to the table behind them. */
function withoutNested(sql: string): string {
  const outer = sql.replaceAll(/\([^()]+\)/g, '()');
  return outer === sql ? sql : withoutNested(outer);
}

/**
 * Returns the operation and the table of a statement, never its text, which would reveal too much and have too many
 * values.
 */
export function classify(sql: string): { operation: string; table: string | null } {
  const [, first = ''] = /^\s*(\w+)/.exec(sql) ?? [];
  const word = first.toLowerCase();
  const change = word === 'select' ? null : changed.exec(sql);
  const table = (change ?? read.exec(withoutNested(sql)) ?? read.exec(sql))?.[1]?.toLowerCase() ?? null;
  if (word !== 'with') return { operation: operations.includes(word) ? word : 'other', table };
  const [changes = 'select'] = change?.[0].toLowerCase().split(/\s/) ?? [];
  return { operation: changes, table };
}

const statements = new Map<string, Statement>();

/** Describes a statement by its text. Cached: texts are constants of the program, so there are few. */
export function describeStatement(sql: string): Statement {
  let statement = statements.get(sql);
  if (!statement) {
    const { operation, table } = classify(sql);
    statement = {
      name: `fs_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`,
      engine: 'sql',
      operation,
      span: table ? `SQL ${operation} ${table}` : `SQL ${operation}`,
      attributes: { 'db.operation.name': operation.toUpperCase(), ...(table ? { 'db.collection.name': table } : {}) },
    };
    statements.set(sql, statement);
  }
  return statement;
}
