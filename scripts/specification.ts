// Checks that the rules of docs/specification.md and docs/security.md and the comments `// rule: id` of tests agree.
//   node scripts/specification.ts                    each rule has a test, and each id of a test has a rule
//   node scripts/specification.ts --list event.2     lists a rule with its tests; `event` lists a group, no word all
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compare, listRules, readProofs, readRules } from './rules.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const documents = ['docs/specification.md', 'docs/security.md'].map((file) => readRules(file, read(file)));
const tests = globSync('test/**/*.test.ts', { cwd: root })
  .sort()
  .map((file) => readProofs(file, read(file)));

const rules = documents.flatMap((document) => document.rules);
const proofs = tests.flatMap((test) => test.proofs);

if (process.argv[2] === '--list') process.stdout.write(listRules(rules, proofs, process.argv[3] ?? ''));
else {
  const faults = [...[...documents, ...tests].flatMap((part) => part.faults), ...compare(rules, proofs)];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(`${rules.length} rules, ${proofs.length} tests with rules, ${faults.length} faults\n`);
  process.exitCode = faults.length > 0 || documents.some((document) => document.rules.length === 0) ? 1 : 0;
}
