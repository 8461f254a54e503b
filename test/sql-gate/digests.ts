import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const acceptedFile = path.join(import.meta.dirname, 'accepted.txt');

/**
 * Returns the SHA-256 of a statement, in hexadecimal, without its indentation and empty lines. Line ends count, since a
 * comment ends at one.
 */
export function digestOf(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trim().replace(/[ \t]+/g, ' '));
  return createHash('sha256').update(lines.filter(Boolean).join('\n')).digest('hex');
}

const headOf = (parser: string): string[] => [
  `# Statements that CockroachDB's parser has taken, as SHA-256 (digests.ts). Written by \`npm run sql:verify\`.`,
  `# ${parser}`,
];

/**
 * Returns the digests of the statements that this version of the parser (`module version`) has accepted; none if
 * another version wrote the file.
 */
export function readAccepted(parser: string): Set<string> {
  const lines = existsSync(acceptedFile) ? readFileSync(acceptedFile, 'utf8').split('\n') : [];
  if (!lines.includes(`# ${parser}`)) return new Set();
  return new Set(lines.filter((line) => /^[0-9a-f]{64}$/.test(line)));
}

/** Writes the digests, sorted, one per line, below the version of the parser. */
export function writeAccepted(parser: string, digests: Iterable<string>): void {
  writeFileSync(acceptedFile, `${[...headOf(parser), ...[...digests].sort()].join('\n')}\n`);
}
