// Checks every SQL statement that the program sent during the stack tests, and every migration, against a list of what
// works on one engine only, and with CockroachDB's own parser: `npm test -- sql`.
//
//   gate.ts             parses only statements that are not in accepted.txt; without the parser they are listed as
//                       unverified
//   gate.ts --require   parses all of them, and fails without the parser
//   gate.ts --write     the same, and writes accepted.txt: `npm run sql:verify`
import { parseArgs } from 'node:util';
import { applyDenyList } from './deny-list.ts';
import { digestOf, readAccepted, writeAccepted } from './digests.ts';
import { findParser, parseAll, parserVersion } from './parser.ts';
import { readMigrations, readSentStatements, type Statement } from './statements.ts';

const { values } = parseArgs({ options: { require: { type: 'boolean' }, write: { type: 'boolean' } } });
const insist = values.require || values.write;
const sent = readSentStatements();
/** Each statement once, by its digest; statements of a migration have the migration's name. */
const statements = new Map(
  [...sent, ...(await readMigrations())].map((statement) => [digestOf(statement.sql), statement] as const),
);
const accepted = readAccepted(parserVersion);

/** Returns the errors of the parser. Without the parser: none, after printing the unverified statements. */
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
