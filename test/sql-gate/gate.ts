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
const statements = [...sent, ...(await readMigrations())];
const accepted = readAccepted(parserVersion);

/** The faults that the parser finds. Without a parser: none, after naming what nobody has verified. */
function verify(unseen: readonly Statement[]): string[] {
  if (unseen.length === 0) return [];
  const parser = findParser();
  if ('program' in parser) return parseAll(parser.program, unseen);
  if (insist) throw new Error(`CockroachDB's parser is missing: ${parser.missing}.`);
  for (const { name } of unseen) process.stdout.write(`unverified: ${name}\n`);
  process.stdout.write(
    `SKIPPED: ${unseen.length} statements are unverified, as CockroachDB's parser is missing: ${parser.missing}\n`,
  );
  return [];
}

const unseen = statements.filter(({ sql }) => !accepted.has(digestOf(sql)));
const faults = [...applyDenyList(statements), ...verify(insist ? statements : unseen)];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(
  `${statements.length} statements (${sent.length} sent by the program), ${unseen.length} not in accepted.txt, ${faults.length} faults\n`,
);
if (values.write && faults.length === 0)
  writeAccepted(parserVersion, new Set([...accepted, ...statements.map(({ sql }) => digestOf(sql))]));
process.exitCode = faults.length > 0 ? 1 : 0;
