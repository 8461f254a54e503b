import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, stack } from '../harness/api.ts';
import { type Authority, type Certificate, createAuthority } from '../harness/certificates.ts';
import { registerNamespace } from '../harness/namespace.ts';
import { startRole, type TestRole } from '../harness/role.ts';
import { findS3Server, noS3Server, type S3Server, startS3Server } from '../harness/s3-server.ts';
import { startTlsFront, startTlsPostgres } from '../harness/tls-engines.ts';

const program = path.join(import.meta.dirname, '..', '..', 'services', 'cli', 'fieldstone.js');

const s3Program = findS3Server();
if (!s3Program) console.warn(`SKIPPED: objects by TLS: ${noS3Server}.`);

let dataDir: string;
let ours: Authority;
let theirs: Authority;
let client: Certificate;
let server: Certificate;
let postgres: Awaited<ReturnType<typeof startTlsPostgres>>;
/** Undefined without an S3 server: objects are files then, and only the other engines are tested. */
let s3: S3Server | undefined;
let temporal: Awaited<ReturnType<typeof startTlsFront>>;
/** Every engine with TLS: SQL and workflows with a client certificate. */
let env: Record<string, string>;
const roles: TestRole[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(stack.dataDir, 'tls-'));
  [ours, theirs] = await Promise.all([createAuthority(), createAuthority()]);
  [server, client] = await Promise.all([ours.issue('localhost'), ours.issue('fieldstone')]);
  [postgres, s3, temporal] = await Promise.all([
    startTlsPostgres(dataDir, server, ours.ca),
    s3Program ? startS3Server(s3Program, { certificate: server }) : undefined,
    startTlsFront(stack.env.TEMPORAL_ADDRESS!, server, ours.ca),
  ]);
  const namespace = `tls-${randomUUID()}`;
  await registerNamespace(stack.env.TEMPORAL_ADDRESS!, namespace);
  env = {
    ...stack.env,
    ...s3?.settings,
    DATABASE_URL: postgres.url,
    DATABASE_CA: ours.ca,
    DATABASE_CERT: client.cert,
    DATABASE_KEY: client.key,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_CA: ours.ca,
    TEMPORAL_CERT: client.cert,
    TEMPORAL_KEY: client.key,
    S3_CA: ours.ca,
    NODE_EXTRA_CA_CERTS: '',
    NODE_TLS_REJECT_UNAUTHORIZED: '',
  };
}, 180_000);
afterAll(async () => {
  await Promise.all(roles.map((role) => role.kill()));
  temporal?.stop();
  await Promise.all([postgres?.stop(), s3?.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

/** Runs a command with TLS to all engines and some settings changed; returns its output, even if it failed. */
async function cli(args: string[], changed: Record<string, string | undefined> = {}) {
  const own = Object.fromEntries(Object.entries({ ...env, ...changed }).filter(([, value]) => value !== undefined));
  const run = promisify(execFile)(process.execPath, [program, ...args], { env: own as NodeJS.ProcessEnv });
  return run.then(
    ({ stdout, stderr }) => ({ ok: true, stdout, stderr }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ ok: false, stdout, stderr }),
  );
}

interface Finding {
  check: string;
  ok: boolean;
  message: string;
}

/** Returns the findings of `doctor` by engine. */
async function examine(changed: Record<string, string | undefined> = {}): Promise<Record<string, Finding>> {
  const { stdout } = await cli(['doctor', '--json'], changed);
  return Object.fromEntries((JSON.parse(stdout) as Finding[]).map((one) => [one.check, one]));
}

describe('every engine by TLS', () => {
  test('migrations run, and a site is published', async () => {
    const migrated = await cli(['migrate', '--json']);
    expect([migrated.ok, migrated.stderr]).toEqual([true, '']);
    const made = await cli(['keys', 'create', '--name', 'tls', '--scopes', 'admin', '--sites', '*', '--json']);
    const { key } = JSON.parse(made.stdout) as { key: string };
    const gateway = await startRole('gateway', env);
    roles.push(gateway);
    const ask = async (method: string, url: string, body?: object) => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
      const reply = await fetch(`${gateway.url}/api/v1${url}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
      });
      return (await reply.json()) as { data: { job: string; status: string } };
    };
    await ask('POST', '/sites', { name: 'By TLS', slug: 'by-tls' });
    await ask('POST', '/sites/by-tls/content', { title: 'Secure', status: 'published' });
    const { data } = await ask('POST', '/sites/by-tls/publish');
    roles.push(await startRole('worker', env));
    await eventually(
      'the site is live',
      async () => (await ask('GET', `/jobs/${data.job}`)).data.status === 'succeeded',
    );
  }, 120_000);

  test('doctor finds nothing to mend, also with certificates in files', async () => {
    const file = path.join(dataDir, 'authority.pem');
    writeFileSync(file, ours.ca);
    const changed = { DATABASE_CA: undefined, DATABASE_CA_FILE: file, TEMPORAL_CA: file, S3_CA: file };
    expect(await examine(changed)).toMatchObject({
      database: { ok: true },
      workflows: { ok: true },
      objects: { ok: true },
    });
  });
});

describe('what does not fit is told in a sentence that names the setting', () => {
  const none = (setting: string) => ({ [`${setting}_CERT`]: undefined, [`${setting}_KEY`]: undefined });

  test('another authority', async () => {
    const sentence = (engine: string, setting: string) =>
      `The certificate of ${engine} is not signed by an authority that is trusted here: set ${setting}_CA to the right one.`;
    const changed = { DATABASE_CA: theirs.ca, TEMPORAL_CA: theirs.ca, S3_CA: theirs.ca };
    expect(await examine(changed)).toMatchObject({
      database: { ok: false, message: sentence('the database', 'DATABASE') },
      workflows: { ok: false, message: sentence('the workflow engine', 'TEMPORAL') },
      ...(s3 ? { objects: { ok: false, message: sentence('the object store', 'S3') } } : {}),
    });
    const migrated = await cli(['migrate'], changed);
    expect([migrated.ok, migrated.stderr]).toEqual([false, `${sentence('the database', 'DATABASE')}\n`]);
  }, 120_000);

  test('no client certificate', async () => {
    expect(await examine({ ...none('DATABASE'), ...none('TEMPORAL') })).toMatchObject({
      database: { ok: false, message: expect.stringMatching(/^The database rejects the user/) },
      workflows: { ok: false, message: expect.stringMatching(/set TEMPORAL_CERT and TEMPORAL_KEY\.$/) },
    });
  }, 120_000);

  test('a client certificate that has expired', async () => {
    const { cert, key } = await ours.issue('fieldstone', { expired: true });
    const changed = { DATABASE_CERT: cert, DATABASE_KEY: key, TEMPORAL_CERT: cert, TEMPORAL_KEY: key };
    const told = (setting: string) =>
      expect.stringMatching(new RegExp(`client certificate .* (${setting}_CERT and ${setting}_KEY)\\.$`, 'i'));
    expect(await examine(changed)).toMatchObject({
      database: { ok: false, message: told('DATABASE') },
      workflows: { ok: false, message: told('TEMPORAL') },
    });
  }, 120_000);

  test('a client certificate without its key, or one that is none', async () => {
    expect((await cli(['migrate'], { DATABASE_KEY: undefined })).stderr).toBe(
      'DATABASE_CERT and DATABASE_KEY must be set both, or neither.\n',
    );
    expect((await cli(['migrate'], { DATABASE_CA: '/nowhere/ca.crt' })).stderr).toBe(
      'DATABASE_CA must hold a certificate or key as PEM text, or name a file that does.\n',
    );
  });

  test('an engine whose certificate has expired', async () => {
    const expired = await ours.issue('localhost', { expired: true });
    const fronts = await Promise.all(
      [stack.env.TEMPORAL_ADDRESS!, s3?.settings.S3_ENDPOINT ?? '']
        .filter(Boolean)
        .map((at) => startTlsFront(at, expired)),
    );
    postgres.changeCertificate(expired);
    const changed = {
      TEMPORAL_ADDRESS: fronts[0]!.address,
      ...(fronts[1] ? { S3_ENDPOINT: `https://${fronts[1].address}` } : {}),
    };
    const isTold = ({ message }: Finding, engine: string) =>
      message === `The certificate of ${engine} has expired: renew it there.`;
    try {
      await eventually('every engine serves with it', async () => {
        const { database, workflows, objects } = await examine(changed);
        return (
          isTold(database!, 'the database') &&
          isTold(workflows!, 'the workflow engine') &&
          (!s3 || isTold(objects!, 'the object store'))
        );
      });
    } finally {
      postgres.changeCertificate(server);
      for (const front of fronts) front.stop();
    }
  }, 180_000);
});
