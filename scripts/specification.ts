// Checks docs/specification.md and docs/security.md: every row names at least one test, and every named test exists.
//   node scripts/specification.ts
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const documents = ['docs/specification.md', 'docs/security.md'];
const headings = new Set(['Rule', 'Threat and defence', '---']);
const sources = new Map<string, string>();

/** Returns the source of a test file below `test/`, or null if it does not exist. */
function sourceOf(name: string): string | null {
  const file = path.join(root, 'test', `${name}.test.ts`);
  if (!sources.has(name) && existsSync(file)) sources.set(name, readFileSync(file, 'utf8'));
  return sources.get(name) ?? null;
}

/** Whether a test, group or table of tests in that file has this name, as written in the source. */
function hasTest(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const quoted = [`'${escaped.replaceAll("'", "\\\\'")}'`, `"${escaped}"`, `\`${escaped.replaceAll('`', '\\\\`')}\``];
  // directly after the parenthesis of `test(`, `describe(` or a table, or on its own line
  return new RegExp(`\\(\\s*(?:${quoted.join('|')})\\s*,`).test(source);
}

/** Returns the errors of one row of a table: no test, a malformed entry, or a file or name that does not exist. */
function faultsOf(proof: string): string[] {
  const named = proof.split('<br>').filter(Boolean);
  if (named.length === 0) return ['names no test'];
  return named.flatMap((entry) => {
    const [, file, name] = /^`(\S+) › (.+)`$/.exec(entry.trim()) ?? [];
    if (!file || !name) return [`${entry} does not have the form \`file › name\``];
    const source = sourceOf(file);
    if (source === null) return [`test/${file}.test.ts does not exist`];
    return hasTest(source, name.replaceAll('\\`', '`')) ? [] : [`test/${file}.test.ts has no test “${name}”`];
  });
}

/** Returns the number of rows of one document, and their errors. */
function checkDocument(document: string): { rows: number; faults: string[] } {
  const faults: string[] = [];
  let rows = 0;
  for (const [index, line] of readFileSync(path.join(root, document), 'utf8').split('\n').entries()) {
    const [, rule, proof] = /^\| (.*) \| (.*) \|$/.exec(line) ?? [];
    if (rule === undefined || proof === undefined || headings.has(rule)) continue;
    rows++;
    if (/partly/i.test(rule)) faults.push(`line ${index + 1}: a rule may not hold partly`);
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
