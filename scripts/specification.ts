// Holds docs/specification.md and docs/security.md against the tests: every row names at least one test, and every test it
// names exists.
//   node scripts/specification.ts
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const documents = ['docs/specification.md', 'docs/security.md'];
const headings = new Set(['Rule', 'Threat and defence', '---']);
const sources = new Map<string, string>();

/** The source of a test file below `test/`, or null where there is none. */
function sourceOf(name: string): string | null {
  const file = path.join(root, 'test', `${name}.test.ts`);
  if (!sources.has(name) && existsSync(file)) sources.set(name, readFileSync(file, 'utf8'));
  return sources.get(name) ?? null;
}

/** Whether a test, group or table of tests of that file has the name, as it is written in the source. */
function hasTest(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const quoted = [`'${escaped.replaceAll("'", "\\\\'")}'`, `"${escaped}"`, `\`${escaped.replaceAll('`', '\\\\`')}\``];
  // directly behind the parenthesis of `test(`, `describe(` or a table, or on a line of its own
  return new RegExp(`\\(\\s*(?:${quoted.join('|')})\\s*,`).test(source);
}

/** What is wrong with one row of a table: no test, a test of no known form, a file or a name that there is not. */
function faultsOf(proof: string): string[] {
  const named = proof.split('<br>').filter(Boolean);
  if (named.length === 0) return ['names no test'];
  return named.flatMap((entry) => {
    const [, file, name] = /^`(\S+) › (.+)`$/.exec(entry.trim()) ?? [];
    if (!file || !name) return [`${entry} is not written \`file › name\``];
    const source = sourceOf(file);
    if (source === null) return [`there is no test/${file}.test.ts`];
    return hasTest(source, name.replaceAll('\\`', '`')) ? [] : [`test/${file}.test.ts has no test “${name}”`];
  });
}

/** The rows of one document, and what is wrong with them. */
function checkDocument(document: string): { rows: number; faults: string[] } {
  const faults: string[] = [];
  let rows = 0;
  for (const [index, line] of readFileSync(path.join(root, document), 'utf8').split('\n').entries()) {
    const [, rule, proof] = /^\| (.*) \| (.*) \|$/.exec(line) ?? [];
    if (rule === undefined || proof === undefined || headings.has(rule)) continue;
    rows++;
    if (/partly/i.test(rule)) faults.push(`line ${index + 1}: no rule may hold partly`);
    faults.push(...faultsOf(proof).map((fault) => `line ${index + 1}: ${fault}`));
  }
  return { rows, faults };
}

let failed = false;
for (const document of documents) {
  const { rows, faults } = checkDocument(document);
  for (const fault of faults) process.stderr.write(`${document}, ${fault}\n`);
  process.stdout.write(`${document}: ${rows} rows, ${faults.length} faults\n`);
  failed ||= faults.length > 0 || rows === 0;
}
process.exit(failed ? 1 : 0);
