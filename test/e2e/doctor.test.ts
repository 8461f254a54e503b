import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, makeSite, stack, stackConfig } from '../harness/api.ts';
import { makeIntegration } from '../harness/webhooks.ts';

interface Finding {
  check: string;
  ok: boolean;
  level: string;
  message: string;
}

interface Diagnosis {
  code: number;
  findings: Finding[];
  stderr: string;
}

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const run = promisify(execFile);
let nowhere: string;

/** Runs the doctor as a pod would: with the environment alone, in a folder that it may not write to. */
async function ask(env: Record<string, string> = {}, args = ['--json']): Promise<Diagnosis & { stdout: string }> {
  const options = { env: { ...stack.env, NODE_OPTIONS: '', ...env }, cwd: '/proc' };
  const { stdout, stderr, code } = await run(process.execPath, [program, 'doctor', ...args], options).then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { code, stdout, stderr, findings: args.includes('--json') ? JSON.parse(stdout) : [] };
}

const find = ({ findings }: Diagnosis, check: string) => findings.find((finding) => finding.check === check)!;
const badOnes = ({ findings }: Diagnosis) => findings.filter(({ ok }) => !ok).map(({ check }) => check);

beforeAll(async () => {
  nowhere = `127.0.0.1:${await findFreePort()}`;
  await makeIntegration(await makeSite(), 'create_post');
});
afterAll(closeStack);

test('where all is well it says so, check by check, and exits 0', async () => {
  const diagnosis = await ask();
  expect({ code: diagnosis.code, bad: badOnes(diagnosis), stderr: diagnosis.stderr }).toEqual({
    code: 0,
    bad: [],
    stderr: '',
  });
  expect(diagnosis.findings.map(({ check }) => check)).toEqual([
    'settings',
    'database',
    'schema',
    'clock',
    'secret key',
    'workflows',
    'workers',
    'objects',
    'backups',
    'gateway',
    'edge',
  ]);
  expect(find(diagnosis, 'secret key').message).toBe('opens the stored secrets');
  expect(find(diagnosis, 'workers').message).toBe('poll every queue');
});

test('for people it prints a line a check', async () => {
  const { stdout, code } = await ask({}, []);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {3}settings: complete$/m);
  expect(stdout).toMatch(/^ok {3}objects: can be written, read and deleted in the bucket fieldstone$/m);
});

describe('what is wrong is told in a sentence that says what to fix, and the exit code is 1', () => {
  test('the database is down', async () => {
    const diagnosis = await ask({ DATABASE_URL: `postgres://user:geheim@${nowhere}/fieldstone` });
    expect(diagnosis.code).toBe(1);
    expect(badOnes(diagnosis)).toEqual(['database']);
    expect(find(diagnosis, 'database').message).toBe(
      `The database at ${nowhere}: nobody listens there (ECONNREFUSED). Check DATABASE_URL.`,
    );
    expect(diagnosis.stderr).toBe('To be fixed: database.\n');
    expect(JSON.stringify(diagnosis)).not.toContain('geheim');
  });

  test('its password is wrong', async () => {
    const address = new URL(stackConfig().databaseUrl);
    address.password = 'wrong';
    const diagnosis = await ask({ DATABASE_URL: address.href });
    expect(find(diagnosis, 'database').message).toBe(
      `The database at ${address.host}: it refuses the user or the password (28P01). Check DATABASE_URL.`,
    );
  });

  test('Temporal is down', async () => {
    const diagnosis = await ask({ TEMPORAL_ADDRESS: nowhere });
    expect({ code: diagnosis.code, bad: badOnes(diagnosis) }).toEqual({ code: 1, bad: ['workflows'] });
    expect(find(diagnosis, 'workflows').message).toContain(`Temporal at ${nowhere}: it does not answer. Check`);
  });

  test('Temporal has no such namespace', async () => {
    const diagnosis = await ask({ TEMPORAL_NAMESPACE: 'elsewhere' });
    expect(find(diagnosis, 'workflows').message).toContain('it has no namespace elsewhere');
  });

  test('the object store is down', async () => {
    const diagnosis = await ask({ S3_ENDPOINT: `http://${nowhere}` });
    expect({ code: diagnosis.code, bad: badOnes(diagnosis) }).toEqual({ code: 1, bad: ['objects', 'backups'] });
    expect(find(diagnosis, 'objects').message).toBe(
      `The object store at http://${nowhere} with the bucket fieldstone: nobody listens there (ECONNREFUSED). Check the S3_ settings.`,
    );
  });

  test('only the store of backups is down', async () => {
    const diagnosis = await ask({ BACKUP_S3_ENDPOINT: `http://${nowhere}` });
    expect({ code: diagnosis.code, bad: badOnes(diagnosis) }).toEqual({ code: 1, bad: ['backups'] });
    expect(find(diagnosis, 'backups').message).toContain('Check the BACKUP_S3_ settings.');
  });

  test('the bucket is missing', async () => {
    const diagnosis = await ask({ S3_BUCKET: 'nobodys-bucket' });
    expect(find(diagnosis, 'objects').message).toBe(
      'There is no bucket nobodys-bucket. Run fieldstone migrate, which makes it.',
    );
  });

  test('the access key is wrong', async () => {
    const diagnosis = await ask({ S3_SECRET_KEY: 'wrong-secret' });
    expect(badOnes(diagnosis)).toEqual(['objects', 'backups']);
    expect(JSON.stringify(diagnosis)).not.toContain('wrong-secret');
  });

  test('the secret key is another one', async () => {
    const diagnosis = await ask({ FIELDSTONE_SECRET_KEY: randomBytes(32).toString('base64') });
    expect({ code: diagnosis.code, bad: badOnes(diagnosis) }).toEqual({ code: 1, bad: ['secret key'] });
    expect(find(diagnosis, 'secret key').message).toMatch(/^\d+ of \d+ stored secrets cannot be read\./);
  });

  test('a setting is missing', async () => {
    const diagnosis = await ask({ S3_ENDPOINT: '' });
    expect(diagnosis.code).toBe(1);
    expect(diagnosis.findings).toEqual([
      { check: 'settings', ok: false, level: 'bad', message: expect.stringContaining('Set S3_ENDPOINT') },
    ]);
  });
});

test('a public origin that this machine does not reach is a note: from inside a cluster it need not', async () => {
  const diagnosis = await ask({ FIELDSTONE_EDGE_URL: `http://${nowhere}` });
  expect({ code: diagnosis.code, bad: badOnes(diagnosis) }).toEqual({ code: 0, bad: [] });
  expect(find(diagnosis, 'edge')).toMatchObject({ level: 'note', message: expect.stringContaining('nobody listens') });
});

test('where no worker has asked for work it says what waits and which worker to start', async () => {
  // the server has this namespace of its own, and no worker of ours is in it
  const diagnosis = await ask({ TEMPORAL_NAMESPACE: 'temporal-system' });
  expect({ code: diagnosis.code, bad: badOnes(diagnosis) }).toEqual({ code: 1, bad: ['workers'] });
  expect(find(diagnosis, 'workers').message).toBe(
    'No worker has asked for work lately, so these wait: publishing, deliveries, events, images, video. ' +
      'Start a worker with FIELDSTONE_WORKER_QUEUES=general,inbox,media.',
  );
});
