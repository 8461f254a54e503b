// Holds every SQL text that the program sent during the stack tests, and every migration, against a list of what works on one engine
// only, and against CockroachDB's own parser: `npm test -- sql`.
//   gate.ts             the parser looks only at statements that it has not taken before (accepted.txt); where it cannot be had they
//                       are named as unverified
//   gate.ts --require   the parser looks at all of them, or the gate fails
//   gate.ts --write     the same, and accepted.txt is written: `npm run sql:verify`
import { parseArgs } from 'node:util';
import { applyDenyList } from './deny-list.ts';
import { digestOf, readAccepted, writeAccepted } from './digests.ts';
import { findParser, parseAll, parserVersion } from './parser.ts';
import { readMigrations, readSentStatements, type Statement } from './statements.ts';

const { values } = parseArgs({ options: { require: { type: 'boolean' }, write: { type: 'boolean' } } });
const insist = values.require || values.write;
const sent = readSentStatements();
/** Each statement once, by its digest; what a migration sends has the name of the migration. */
const statements = new Map(
  [...sent, ...(await readMigrations())].map((statement) => [digestOf(statement.sql), statement] as const),
);
const accepted = readAccepted(parserVersion);

/** The faults that the parser finds. Where it is missing: none, after the statements that nobody has verified were named. */
function verify(unseen: readonly Statement[]): string[] {
  if (unseen.length === 0) return [];
  const parser = findParser();
  if ('program' in parser) return parseAll(parser.program, unseen);
  const missing = `CockroachDB's parser is missing: ${parser.missing}`;
  if (insist) return [missing];
  for (const { name } of unseen) process.stdout.write(`unverified: ${name}\n`);
  process.stdout.write(`SKIPPED: ${unseen.length} statements are unverified, for ${missing}\n`);
  return [];
}

const all = [...statements.values()];
const unseen = [...statements].filter(([digest]) => !accepted.has(digest)).map(([, statement]) => statement);
const faults = [...applyDenyList(all), ...verify(insist ? all : unseen)];
for (const fault of faults) process.stdout.write(`${fault}\n`);
const counts = `${all.length} statements, ${unseen.length} that accepted.txt does not have, ${faults.length} faults`;
process.stdout.write(`${counts}\n`);
if (values.write && faults.length === 0) writeAccepted(parserVersion, new Set([...accepted, ...statements.keys()]));
process.exitCode = faults.length > 0 ? 1 : 0;
