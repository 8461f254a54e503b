import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { prepareEngines } from '../../services/cli/prepare-engines.ts';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, makeSite, stack, stackConfig } from '../harness/api.ts';
import { askDoctor, findCheck, listBad } from '../harness/doctor.ts';
import { makeEmptySchema } from '../harness/own-schema.ts';
import { makeIntegration } from '../harness/webhooks.ts';

let nowhere: string;

beforeAll(async () => {
  nowhere = `127.0.0.1:${await findFreePort()}`;
  await makeIntegration(await makeSite(), 'create_post');
});
afterAll(closeStack);

test('where all is well it says so, check by check, and exits 0', async () => {
  const diagnosis = await askDoctor();
  expect({ code: diagnosis.code, bad: listBad(diagnosis), stderr: diagnosis.stderr }).toEqual({
    code: 0,
    bad: [],
    stderr: '',
  });
  expect(diagnosis.findings.map(({ check }) => check)).toEqual([
    'settings',
    'database',
    'schema',
    'engines',
    'jobs',
    'clock',
    'secret key',
    ...{
      embedded: ['workers', 'objects', 'backups', 'backups'],
      cluster: ['workflows', 'workers', 'objects', 'backups'],
    }[stack.engines],
    'gateway',
    'edge',
  ]);
  expect(findCheck(diagnosis, 'secret key').message).toBe('opens the stored secrets');
  expect(findCheck(diagnosis, 'workers').message).toBe(
    { embedded: 'the worker of this machine runs the actors', cluster: 'poll every queue' }[stack.engines],
  );
});

test('for people it prints a line a check', async () => {
  const { stdout, code } = await askDoctor({}, []);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {3}settings: complete$/m);
  expect(stdout).toMatch(/^ok {3}objects: can be written, read and deleted in the (bucket|folder) \S+$/m);
});

describe('what is wrong is told in a sentence that says what to fix, and the exit code is 1', () => {
  test('the database is down', async () => {
    const diagnosis = await askDoctor({ DATABASE_URL: `postgres://user:geheim@${nowhere}/fieldstone` });
    expect(diagnosis.code).toBe(1);
    expect(listBad(diagnosis)).toEqual(['database']);
    expect(findCheck(diagnosis, 'database').message).toBe(
      `The database at ${nowhere}: nothing listens there (ECONNREFUSED). Check DATABASE_URL.`,
    );
    expect(JSON.parse(diagnosis.stderr)).toEqual({ error: { code: 'failed', message: 'To be fixed: database.' } });
    expect(JSON.stringify(diagnosis)).not.toContain('geheim');
  });

  test('its password is wrong', async () => {
    const address = new URL(stackConfig().databaseUrl);
    address.password = 'wrong';
    const diagnosis = await askDoctor({ DATABASE_URL: address.href });
    expect(findCheck(diagnosis, 'database').message).toBe(
      `The database at ${address.host}: it refuses the user or the password (28P01). Check DATABASE_URL.`,
    );
  });

  test('the secret key is another one', async () => {
    const diagnosis = await askDoctor({ FIELDSTONE_SECRET_KEY: randomBytes(32).toString('base64') });
    expect({ code: diagnosis.code, bad: listBad(diagnosis) }).toEqual({ code: 1, bad: ['secret key'] });
    expect(findCheck(diagnosis, 'secret key').message).toMatch(/^\d+ of \d+ stored secrets cannot be read\./);
  });

  test('a setting is missing', async () => {
    const diagnosis = await askDoctor({ FIELDSTONE_SECRET_KEY: '' });
    expect(diagnosis.code).toBe(1);
    expect(diagnosis.findings).toEqual([
      { check: 'settings', ok: false, level: 'bad', message: expect.stringContaining('Set FIELDSTONE_SECRET_KEY') },
    ]);
  });
});

// rule: threat.41
test('jobs that are retried are told with their cause: a note while an engine is away, bad when it refuses', async () => {
  const { env, db } = await makeEmptySchema();
  try {
    await prepareEngines({ ...requireEngines(loadConfig(env)), sqlLogFile: undefined });
    expect(findCheck(await askDoctor(env), 'jobs')).toMatchObject({ level: 'ok', message: 'no job is being retried' });
    const [site] = await db.query<{ id: string }>(
      `INSERT INTO sites (slug, name, default_locale, locales, settings) VALUES ('s', 's', 'en', '[]', '{}') RETURNING id`,
    );
    const insertJob = (error: string, refusedAs: string | null) =>
      db.query(
        `INSERT INTO jobs (site_id, kind, status, error, refused_as) VALUES ($1, 'publish', 'running', $2, $3)`,
        [site!.id, error, refusedAs],
      );
    await insertJob('The store cannot be reached.', null);
    expect(findCheck(await askDoctor(env), 'jobs')).toMatchObject({
      level: 'note',
      message: expect.stringContaining('1 of them: The store cannot be reached.'),
    });
    await insertJob('The store refuses S3 put (AccessDenied).', 'AccessDenied');
    const diagnosis = await askDoctor(env);
    expect([diagnosis.code, findCheck(diagnosis, 'jobs')]).toEqual([
      1,
      { check: 'jobs', ok: false, level: 'bad', message: expect.stringContaining('(AccessDenied)') },
    ]);
  } finally {
    await db.close();
  }
});

test('a public origin that this machine does not reach is a note: from inside a cluster it need not', async () => {
  const diagnosis = await askDoctor({ FIELDSTONE_EDGE_URL: `http://${nowhere}` });
  expect({ code: diagnosis.code, bad: listBad(diagnosis) }).toEqual({ code: 0, bad: [] });
  expect(findCheck(diagnosis, 'edge')).toMatchObject({
    level: 'note',
    message: expect.stringContaining('nothing listens'),
  });
});
