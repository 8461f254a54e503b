import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLogFile } from '../../services/engines-local/log-files.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { preparePostgres } from '../../services/engines-local/postgres.ts';
import { type SupervisedProcess, superviseProcess } from '../../services/engines-local/supervise.ts';
import { readServerVersion } from '../harness/external-database.ts';

const program = path.join(import.meta.dirname, '..', 'cockroach', 'run.ts');
const password = 'administrator-of-a-test';

let dataDir: string;
let server: SupervisedProcess;
let url: string;

// a server that the command knows only by its URL, like a CockroachDB
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'fieldstone-server-'));
  const port = await findFreePort();
  const credentials = { instance: 'external', postgresPassword: password, databasePassword: 'unused' };
  const { spec } = await preparePostgres(
    dataDir,
    port,
    { ...credentials, s3AccessKey: '', s3SecretKey: '', secretKey: '' },
    {},
  );
  const host = { log: openLogFile(dataDir, 'postgres'), onEvent: () => {}, signal: new AbortController().signal };
  server = await superviseProcess(spec, host);
  url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

/**
 * Runs the command as a separate test run, so that the stack and the recorded statements of this run are not affected.
 */
async function run(args: string[], databaseUrl: string | undefined) {
  const { FIELDSTONE_TEST_STACK, JEST_WORKER_ID, NODE_OPTIONS, ...env } = process.env;
  const own = { ...env, FIELDSTONE_TEST_RUN: 'cockroach-command', DATABASE_URL: databaseUrl ?? '' };
  return promisify(execFile)(process.execPath, [program, ...args], { env: own, maxBuffer: 1 << 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test('the suite runs on a database server given by its address, and says what the run shows', async () => {
  const { code, stdout, stderr } = await run(['contract/idempotency', 'e2e/local-engines'], url);
  expect(stderr).toMatch(/PASS stack .*contract\/idempotency/);
  expect(stderr).not.toMatch(/(PASS|FAIL) stack .*local-engines/);
  expect(stdout).toContain(await readServerVersion(url));
  expect(stdout).toContain('This server is not CockroachDB: the run shows nothing about it.');
  expect(stdout).toContain('NOT APPLICABLE: test/e2e/local-engines starts and kills the embedded PostgreSQL.');
  expect(stdout).toMatch(/: tests passed, statements passed\n$/);
  expect(code).toBe(0);
}, 240_000);

test('without an address, or with one where nobody answers, it says so', async () => {
  const missing = await run([], undefined);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    'Set DATABASE_URL to a server on which databases may be created and dropped.\n',
  ]);
  const dead = await run([], `postgresql://root@127.0.0.1:${await findFreePort()}/defaultdb`);
  expect([dead.code, dead.stderr]).toEqual([2, expect.stringMatching(/^The database server: .*ECONNREFUSED/)]);
}, 60_000);
