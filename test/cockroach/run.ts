// Runs the migrations, the tests of the stack and those of `service` on an existing database server, usually
// CockroachDB:
//
//   DATABASE_URL=postgresql://root@localhost:26257/defaultdb npm run test:cockroach [-- PATTERN]
//
// Certificates as for the service: DATABASE_CA, DATABASE_CERT, DATABASE_KEY (or …_FILE). Each stack gets a new database
// on it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readServerVersion } from '../harness/external-database.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Tests that do not depend on this database. */
const notApplicable: { file: string; reason: string }[] = [
  { file: 'test/e2e/local-engines', reason: 'starts and kills the embedded PostgreSQL' },
  { file: 'test/e2e/readme', reason: 'runs `npm start`, which brings its own engines' },
  { file: 'test/cluster/tls', reason: 'starts a PostgreSQL of its own with certificates' },
];

/**
 * Tests that connect a process to the database through a proxy on 127.0.0.1, which a server's certificate does not
 * cover.
 */
const notApplicableByTls: typeof notApplicable = [
  { file: 'test/contract/gateway-outage', reason: 'cuts the way to the database in a proxy, past its certificate' },
  { file: 'test/contract/edge-outage', reason: 'cuts the way to the database in a proxy, past its certificate' },
  { file: 'test/contract/documented-errors', reason: 'cuts the way to the database in a proxy, past its certificate' },
];

function isEncrypted(url: string): boolean {
  const mode = new URL(url).searchParams.get('sslmode');
  return (mode !== null && mode !== 'disable') || Boolean(process.env.DATABASE_CA || process.env.DATABASE_CA_FILE);
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

const url = process.env.DATABASE_URL;
if (!url || !URL.canParse(url)) fail('Set DATABASE_URL to a server on which databases may be created and dropped.');
const version = await readServerVersion(url).catch((error: Error) => fail(`The database server: ${error.message}`));
const isCockroach = version.startsWith('CockroachDB');
process.stdout.write(`${version}\n`);
if (!isCockroach) process.stdout.write('This server is not CockroachDB: the run shows nothing about it.\n');

const left = [...notApplicable, ...(isEncrypted(url) ? notApplicableByTls : [])];
const tell = () => {
  for (const { file, reason } of left) process.stdout.write(`NOT APPLICABLE: ${file} ${reason}.\n`);
};
tell();

const node = (...args: string[]) =>
  spawnSync(process.execPath, ['--experimental-vm-modules', '--no-warnings', ...args], { cwd: root, stdio: 'inherit' })
    .status ?? 1;
const patterns = process.argv.slice(2);
const jest = node(
  ...[path.join(root, 'node_modules/jest/bin/jest.js'), '--selectProjects', 'stack', 'service'],
  ...left.flatMap(({ file }) => ['--testPathIgnorePatterns', file]),
  ...(patterns.length > 0 ? ['--testPathPatterns', ...patterns] : []),
);
const gate = node('test/sql-gate/gate.ts');
tell();
process.stdout.write(
  `${version.split(' ').slice(0, 3).join(' ')}: tests ${jest === 0 ? 'passed' : 'FAILED'}, statements ${gate === 0 ? 'passed' : 'FAILED'}\n`,
);
process.exitCode = jest === 0 && gate === 0 ? 0 : 1;
