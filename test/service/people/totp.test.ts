import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { createCipher } from '../../../services/core/secrets.ts';
import { findAccount } from '../../../services/features/people/accounts-sql.ts';
import { readSession } from '../../../services/features/people/session.ts';
import { signInWithSecondFactor, startSession } from '../../../services/features/people/sign-in.ts';
import {
  acceptSecondFactor,
  beginTotp,
  confirmTotp,
  countRecoveryCodes,
  rekeyTotp,
  removeTotp,
} from '../../../services/features/people/totp.ts';
import { createUser } from '../../../services/features/users/index.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const cipher = createCipher([oldKey]);
const client = { address: '192.0.2.1', userAgent: 'test' };
const periodMs = 30_000;
/** The moment of all codes, so that no test depends on how long it takes. */
const now = Date.now();

/** The code of the time step `steps` from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * periodMs });

const accept = (userId: string, code: string, ring = cipher) =>
  own.db.transaction((tx) => acceptSecondFactor(tx, ring, userId, code, now));

/** A user with TOTP on. The codes of now and before are used up with its confirmation. */
async function makeUser() {
  const user = await createUser(own.db, `u-${randomUUID()}@example.com`);
  const { secret, uri } = await own.db.transaction((tx) => beginTotp(tx, cipher, user));
  const recovery = await own.db.transaction((tx) => confirmTotp(tx, cipher, user.id, codeOf(secret), now));
  return { id: user.id, email: user.email, secret, uri, recovery };
}

/** As if no code had been used yet. */
const forgetSteps = (userId: string) => own.db.query('UPDATE user_totp SET last_step = 0 WHERE user_id = $1', [userId]);

test('the secret is shown as a URI for an authenticator, and encrypted at rest', async () => {
  const { id, email, secret, uri } = await makeUser();
  expect(uri).toContain(`otpauth://totp/Fieldstone:${encodeURIComponent(email)}?`);
  expect(uri).toContain(`secret=${secret}`);
  const rows = await own.db.query('SELECT * FROM user_totp WHERE user_id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('it is asked for once a code has confirmed it, and replaced until then', async () => {
  const user = await createUser(own.db, `u-${randomUUID()}@example.com`);
  const begin = () => own.db.transaction((tx) => beginTotp(tx, cipher, user));
  const first = await begin();
  const second = await begin();
  const confirm = (code: string) => own.db.transaction((tx) => confirmTotp(tx, cipher, user.id, code, now));
  const old = codeOf(first.secret);
  if (old !== codeOf(second.secret)) await expect(confirm(old)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await findAccount(own.db, user.id))?.has_totp).toBe(false);
  expect(await confirm(codeOf(second.secret))).toHaveLength(10);
  expect((await findAccount(own.db, user.id))?.has_totp).toBe(true);
  await expect(begin()).rejects.toMatchObject({ code: 'conflict' });
  await expect(confirm(codeOf(second.secret))).rejects.toMatchObject({ code: 'conflict' });
});

describe('a code', () => {
  // rule: threat.49
  test('counts once: not after its confirmation, and of two requests at once in one', async () => {
    const { id, secret } = await makeUser();
    await forgetSteps(id);
    const code = codeOf(secret);
    const results = await Promise.all([accept(id, code), accept(id, code), accept(id, code)]);
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await accept(id, code)).toBe(false);
  });

  test('of the next step counts, and none before it any more', async () => {
    const { id, secret } = await makeUser();
    const [present, next] = [codeOf(secret), codeOf(secret, 1)];
    await forgetSteps(id);
    expect(await accept(id, next)).toBe(true);
    if (present !== next) expect(await accept(id, present)).toBe(false);
  });

  test('that is far off, another number or nothing does not count', async () => {
    const { id, secret } = await makeUser();
    await forgetSteps(id);
    const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => codeOf(secret, steps)));
    const far = [10, 20, 30].map((steps) => codeOf(secret, steps)).filter((code) => !near.has(code));
    for (const code of [...far, '', 'abc', 'x'.repeat(40)]) expect(await accept(id, code)).toBe(false);
  });
});

test('a recovery code counts once, in any case and without hyphens; they are hashed at rest', async () => {
  const { id, recovery } = await makeUser();
  expect(new Set(recovery).size).toBe(10);
  expect(recovery[0]).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  const rows = await own.db.query('SELECT * FROM recovery_codes WHERE user_id = $1', [id]);
  for (const code of recovery) expect(JSON.stringify(rows)).not.toContain(code);
  const results = await Promise.all([accept(id, recovery[0]!), accept(id, recovery[0]!)]);
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await accept(id, recovery[1]!.replaceAll('-', '').toUpperCase())).toBe(true);
  expect(await countRecoveryCodes(own.db, id)).toBe(8);
});

test('the second factor turns the waiting session into another, and the waiting one ends', async () => {
  const { id, recovery } = await makeUser();
  const waiting = await own.db.transaction((tx) => startSession(tx, id, client, { awaitsTotp: true }));
  const session = (await readSession(own.db, waiting.token))!;
  expect([waiting.next, session.awaitsTotp]).toEqual(['totp', true]);
  const send = (code: string) => own.db.transaction((tx) => signInWithSecondFactor(tx, cipher, session, code, client));
  await expect(send('no-such-code')).rejects.toMatchObject({ code: 'unauthorized' });
  const { token, next } = await send(recovery[0]!);
  expect([next, (await readSession(own.db, token))!.awaitsTotp]).toEqual(['done', false]);
  expect(await readSession(own.db, waiting.token)).toBeUndefined();
});

test('after removal it is not asked for, and its recovery codes are gone', async () => {
  const { id, recovery } = await makeUser();
  expect(await own.db.transaction((tx) => removeTotp(tx, id))).toBe(true);
  expect((await findAccount(own.db, id))?.has_totp).toBe(false);
  expect(await accept(id, recovery[0]!)).toBe(false);
  expect(await own.db.transaction((tx) => removeTotp(tx, id))).toBe(false);
});

test('under a new first key it is encrypted again, once', async () => {
  const { id, secret } = await makeUser();
  const ring = createCipher([newKey, oldKey]);
  expect(await rekeyTotp(own.db, ring)).toBeGreaterThan(0);
  expect(await rekeyTotp(own.db, ring)).toBe(0);
  await forgetSteps(id);
  expect(await accept(id, codeOf(secret), createCipher([newKey]))).toBe(true);
  await rekeyTotp(own.db, createCipher([oldKey, newKey]));
});
