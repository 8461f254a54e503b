import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Statement } from './statements.ts';

const moduleFolder = path.join(import.meta.dirname, 'parser');
const sources = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(path.join(moduleFolder, name), 'utf8'));
const moduleName = 'github.com/cockroachdb/cockroachdb-parser';

/** The version of CockroachDB's parser, from go.mod. */
export const parserVersion = new RegExp(`${moduleName} v\\S+`).exec(sources[1]!)![0];

/**
 * Returns the parser's program, built by Go once for each version of its module and kept in the user's cache; or why
 * it cannot be built: Go is missing, or the registry does not serve the module.
 */
export function findParser(): { program: string } | { missing: string } {
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'fieldstone');
  const key = createHash('sha256').update(sources.join('\0')).digest('hex').slice(0, 16);
  const program = path.join(cache, `sql-gate-${key}`);
  if (existsSync(program)) return { program };
  if (spawnSync('go', ['version']).status !== 0) return { missing: 'Go, which builds it, is not installed' };
  process.stdout.write("Building CockroachDB's parser; the first time takes some minutes.\n");
  mkdirSync(cache, { recursive: true });
  const draft = `${program}.${process.pid}`;
  const { status } = spawnSync('go', ['build', '-trimpath', '-o', draft, '.'], { cwd: moduleFolder, stdio: 'inherit' });
  if (status !== 0) return { missing: 'Go could not build it, see above' };
  renameSync(draft, program);
  return { program };
}

/**
 * Returns one line for each statement that the parser rejects; empty when it accepts all. Throws when the program
 * itself fails.
 */
export function parseAll(program: string, statements: readonly Statement[]): string[] {
  const input = statements.map((statement) => JSON.stringify(statement)).join('\n');
  const result = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  const faults = result.stdout.split('\n').filter(Boolean);
  if (result.status !== 0 && faults.length === 0)
    throw new Error(`The parser ended with ${result.status}: ${result.stderr}`);
  return faults;
}
