import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { setPasswordHash } from '../../../services/features/people/accounts-sql.ts';
import { checkCredentials } from '../../../services/features/people/credentials.ts';
import { deleteExpiredAccess } from '../../../services/features/people/expired.ts';
import { hashPassword } from '../../../services/features/people/passwords.ts';
import { readSession } from '../../../services/features/people/session.ts';
import { replacePassword, signIn, startSession } from '../../../services/features/people/sign-in.ts';
import {
  createUser,
  endSession,
  selectSessions,
  setSiteRole,
  setUserActive,
} from '../../../services/features/users/index.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const client = { address: '192.0.2.1', userAgent: 'x'.repeat(1000) };
const makeUser = () => createUser(own.db, `u-${randomUUID()}@example.com`);
const start = (userId: string) => own.db.transaction((tx) => startSession(tx, userId, client));
const set = (userId: string, assignment: string) =>
  own.db.query(`UPDATE sessions SET ${assignment} WHERE user_id = $1`, [userId]);

describe('a session', () => {
  test('is known by its token, of which the database has a hash', async () => {
    const { id, email } = await makeUser();
    const { token, next } = await start(id);
    expect([token.length, next]).toEqual([43, 'done']);
    expect(await readSession(own.db, token)).toMatchObject({ userId: id, email, awaitsTotp: false });
    expect(await readSession(own.db, `${token.slice(1)}A`)).toBeUndefined();
    const rows = await own.db.query('SELECT * FROM sessions WHERE user_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('has the roles of the moment, and none for a user to whom none was given', async () => {
    const { id, email } = await makeUser();
    const { token } = await start(id);
    const roles = async () => (await readSession(own.db, token))!.roles;
    expect(await roles()).toEqual({ administrator: false, onSites: new Map() });
    await own.db.transaction((tx) => setSiteRole(tx, email, '*', 'author'));
    expect(await roles()).toEqual({ administrator: false, onSites: new Map([['*', 'author']]) });
  });

  test('ends after seven days without use, and use keeps it alive', async () => {
    const { id } = await makeUser();
    const { token } = await start(id);
    await set(id, "seen_at = now() - INTERVAL '6 days 23 hours'");
    expect(await readSession(own.db, token)).toBeDefined();
    const [seen] = await selectSessions(own.db, id);
    expect(Date.now() - seen!.seen_at.getTime()).toBeLessThan(60 * 60 * 1000);
    await set(id, "seen_at = now() - INTERVAL '7 days 1 minute'");
    expect(await readSession(own.db, token)).toBeUndefined();
    expect(await selectSessions(own.db, id)).toEqual([]);
  });

  test('ends thirty days after it began, however much it is used; then its row goes', async () => {
    const { id } = await makeUser();
    const { token } = await start(id);
    const [row] = await selectSessions(own.db, id);
    const days = (row!.expires_at.getTime() - row!.created_at.getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await set(id, "expires_at = now() - INTERVAL '2 hours'");
    expect(await readSession(own.db, token)).toBeUndefined();
    await deleteExpiredAccess(own.db);
    expect(await own.db.query('SELECT id FROM sessions WHERE user_id = $1', [id])).toEqual([]);
  });

  test('ends when its user is deactivated, and does not come back', async () => {
    const { id, email } = await makeUser();
    const { token } = await start(id);
    await own.db.transaction((tx) => setUserActive(tx, email, false));
    expect(await readSession(own.db, token)).toBeUndefined();
    await own.db.transaction((tx) => setUserActive(tx, email, true));
    expect(await readSession(own.db, token)).toBeUndefined();
  });

  test('ends alone or with all others, and only for its user', async () => {
    const [{ id }, other] = [await makeUser(), await makeUser()];
    const [first, second] = [await start(id), await start(id)];
    const { id: firstId } = (await readSession(own.db, first.token))!;
    expect(await endSession(own.db, other.id, firstId)).toBe(false);
    expect(await endSession(own.db, id, firstId)).toBe(true);
    expect(await readSession(own.db, first.token)).toBeUndefined();
    expect(await readSession(own.db, second.token)).toBeDefined();
    await own.db.transaction((tx) => replacePassword(tx, id, 'hash'));
    expect(await readSession(own.db, second.token)).toBeUndefined();
  });

  test('keeps a bounded part of what a browser calls itself', async () => {
    const { id } = await makeUser();
    await start(id);
    expect((await selectSessions(own.db, id))[0]!.user_agent).toHaveLength(300);
  });
});

describe('signing in', () => {
  test('fails in one way for an unknown e-mail, a wrong password, no password and a deactivated user', async () => {
    const password = 'twelve letters';
    const [right, without, gone] = [await makeUser(), await makeUser(), await makeUser()];
    const hash = await hashPassword(password, client.address);
    for (const { id } of [right, gone]) await setPasswordHash(own.db, id, hash);
    await own.db.transaction((tx) => setUserActive(tx, gone.email, false));
    const attempt = (email: string, given: string) =>
      checkCredentials(own.db, { email, password: given }, client.address).then(
        () => 'signed in',
        ({ code, message }) => `${code}: ${message}`,
      );
    const failures = [
      await attempt('nobody@example.com', password),
      await attempt(right.email, `${password}!`),
      await attempt(without.email, ''),
      await attempt(gone.email, password),
    ];
    expect(new Set(failures)).toEqual(new Set(['unauthorized: The e-mail address or the password is wrong.']));
    expect(await attempt(right.email.toUpperCase(), password)).toBe('signed in');
  });

  test('with a password that was changed while it was checked fails', async () => {
    const { id, email } = await makeUser();
    await setPasswordHash(own.db, id, await hashPassword('twelve letters', client.address));
    const checked = await checkCredentials(own.db, { email, password: 'twelve letters' }, client.address);
    await own.db.transaction((tx) => replacePassword(tx, id, 'another hash'));
    await expect(own.db.transaction((tx) => signIn(tx, checked, client))).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});
