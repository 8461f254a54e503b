// Holds every SQL text that the program sent during the tests, and every migration, against CockroachDB's own parser and a
// list of what parses there but does not work (or works on one engine only). Run after the stack tests: `npm test -- sql`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { listCockroachMigrations, listMigrations } from '../../services/engines/sql/migrate.ts';
import { statementsFile } from '../harness/stack.ts';

interface Statement {
  name: string;
  sql: string;
}

/** What must not appear, and why. */
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

const goFolder = import.meta.dirname;

function readStatements(): Statement[] {
  if (!existsSync(statementsFile)) throw new Error('There is no record of statements: run the stack tests first.');
  const lines = new Set(readFileSync(statementsFile, 'utf8').split('\n').filter(Boolean));
  return [...lines].map((line, index) => ({ name: `statement ${index + 1}`, sql: JSON.parse(line) as string }));
}

/** The parser's program, built once per version of its module and kept outside the repository; null where Go is missing. */
function buildParser(): string | null {
  if (spawnSync('go', ['version']).status !== 0) return null;
  const key = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(path.join(goFolder, name), 'utf8')).join('\0');
  const cache =
    process.env.FIELDSTONE_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'fieldstone');
  const program = path.join(cache, `sql-gate-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  process.stdout.write("Building CockroachDB's parser; the first time takes some minutes.\n");
  mkdirSync(cache, { recursive: true });
  const built = `${program}.${process.pid}`;
  const result = spawnSync('go', ['build', '-trimpath', '-o', built, '.'], { cwd: goFolder, stdio: 'inherit' });
  if (result.status !== 0) throw new Error("CockroachDB's parser could not be built.");
  renameSync(built, program);
  return program;
}

function applyDenyList(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ name, sql }) =>
    denied.filter(([pattern]) => pattern.test(sql)).map(([, reason]) => `${name}: ${reason}\n  ${sql.slice(0, 300)}`),
  );
}

function parseAll(program: string, statements: readonly Statement[]): string[] {
  const input = statements.map((statement) => JSON.stringify(statement)).join('\n');
  const result = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  const faults = result.stdout.split('\n').filter(Boolean);
  if (result.status !== 0 && faults.length === 0)
    throw new Error(`The parser ended with ${result.status}: ${result.stderr}`);
  return faults;
}

const sent = readStatements();
const statements = [...sent, ...(await listMigrations()), ...(await listCockroachMigrations())];
const program = buildParser();
const faults = [...applyDenyList(statements), ...(program ? parseAll(program, statements) : [])];
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (!program)
  process.stdout.write(
    'SKIPPED: Go is not on this machine, so only the deny-list was applied, not the parser of CockroachDB.\n',
  );
process.stdout.write(`${statements.length} statements (${sent.length} sent by the program), ${faults.length} faults\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
