import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import type { Database } from '../../services/engines/sql/database.ts';
import { listMigrations, migrate } from '../../services/engines/sql/migrate.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, eventually } from '../harness/api.ts';
import { makeEmptySchema as makeOwnSchema } from '../harness/own-schema.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const opened: Database[] = [];

afterAll(async () => {
  await Promise.all(opened.map((db) => db.close()));
  await closeStack();
});

/** Creates an empty schema whose connections are closed after this file. */
async function makeEmptySchema() {
  const own = await makeOwnSchema();
  opened.push(own.db);
  return own;
}

const start = (env: Record<string, string>) => spawn(process.execPath, [program, 'migrate', '--json'], { env });

async function finish(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  return { code, stdout, stderr };
}

const listDone = async (db: Database) =>
  (await db.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')).map(({ name }) => name);

const names = (await listMigrations()).map(({ name }) => name);

test('several that migrate at once share the work out: each migration is run by one, and all end well', async () => {
  const { env, db } = await makeEmptySchema();
  const ends = await Promise.all([start(env), start(env), start(env)].map(finish));
  expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: '' }));
  const ran = ends.flatMap(({ stdout }) => (JSON.parse(stdout) as { migrations: string[] }).migrations);
  expect(ran.sort()).toEqual(names);
  expect(await listDone(db)).toEqual(names);
}, 300_000);

test('what one that was killed began, another ends once its lease is over', async () => {
  const { env, db } = await makeEmptySchema();
  const killed = start(env);
  const exit = once(killed, 'exit');
  await eventually('some migrations have run', () =>
    listDone(db).then(
      (done) => done.length > 2,
      () => false,
    ),
  );
  killed.kill('SIGKILL');
  await exit;
  // as if it had expired
  await db.query("UPDATE schema_lease SET expires_at = now() - INTERVAL '1 second'");
  expect(await finish(start(env))).toMatchObject({ code: 0, stderr: '' });
  expect(await listDone(db)).toEqual(names);
}, 300_000);

test('one whose statement takes longer than its lease keeps it', async () => {
  const { db } = await makeEmptySchema();
  await migrate(db);
  const last = names.at(-1)!;
  await db.query('DELETE FROM schema_migrations WHERE name = $1', [last]);
  const readExpiry = async () =>
    (await db.query<{ expires_at: Date }>('SELECT expires_at FROM schema_lease'))[0]?.expires_at;

  let done: Promise<string[]> | undefined;
  await db.transaction(async (tx) => {
    // a process that records the same migration now waits for this transaction
    await tx.query('INSERT INTO schema_migrations (name) VALUES ($1)', [last]);
    done ??= migrate(db, { leaseSeconds: 4 });
    const first = await eventually('the lease is taken', readExpiry);
    await eventually('the lease is renewed', async () => ((await readExpiry()) ?? first) > first);
  });
  expect(await done).toEqual([last]);
  expect(await listDone(db)).toEqual(names);
}, 300_000);

test('a renewal that arrives when the lease has been given back does not take it again', async () => {
  const { db } = await makeEmptySchema();
  await migrate(db);
  await db.query('DELETE FROM schema_migrations WHERE name = $1', [names.at(-1)!]);
  const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let recording = false;
  let renewing: Promise<unknown> | undefined;
  const slow: Database = {
    ...db,
    async query(sql, params) {
      if (sql.startsWith('INSERT INTO schema_migrations')) {
        recording = true;
        await asked.promise;
      } else if (recording && sql.includes('schema_lease') && !sql.startsWith('DELETE')) {
        renewing ??= ended.promise.then(() => db.query(sql, params));
        asked.resolve();
      }
      return db.query(sql, params);
    },
  };
  expect(await migrate(slow, { leaseSeconds: 4 })).toEqual([names.at(-1)]);
  ended.resolve();
  await renewing;
  expect(await db.query('SELECT holder FROM schema_lease')).toEqual([]);
}, 300_000);

test('a database that is away is told by its address and its setting', async () => {
  const { env } = await makeEmptySchema();
  const nowhere = `127.0.0.1:${await findFreePort()}`;
  const { code, stdout, stderr } = await finish(
    start({ ...env, DATABASE_URL: `postgresql://me:hunter2@${nowhere}/x` }),
  );
  expect({ code, stdout, ...JSON.parse(stderr) }).toEqual({
    code: 5,
    stdout: '',
    error: {
      code: 'unavailable',
      message: `The database at ${nowhere}: nothing listens there (ECONNREFUSED). Check DATABASE_URL.`,
    },
  });
}, 300_000);

test('an object store that is away is told by its address and its setting', async () => {
  const { env } = await makeEmptySchema();
  const nowhere = `http://127.0.0.1:${await findFreePort()}`;
  const s3 = { S3_ENDPOINT: nowhere, S3_BUCKET: 'away', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' };
  const { code, stdout, stderr } = await finish(start({ ...env, ...s3 }));
  expect({ code, stdout, ...JSON.parse(stderr) }).toEqual({
    code: 5,
    stdout: '',
    error: {
      code: 'unavailable',
      message: `The object store at ${nowhere} with the bucket away: nothing listens there (ECONNREFUSED). Check the S3_ settings.`,
    },
  });
}, 300_000);
