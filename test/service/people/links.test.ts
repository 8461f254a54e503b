import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findAccount } from '../../../services/features/people/accounts-sql.ts';
import { deleteExpiredAccess } from '../../../services/features/people/expired.ts';
import { invite, inviteAsMember } from '../../../services/features/people/invitations.ts';
import { acceptLink, createLink, inspectLink, type LinkKind } from '../../../services/features/people/links.ts';
import { readSession } from '../../../services/features/people/session.ts';
import { startSession } from '../../../services/features/people/sign-in.ts';
import {
  createUser,
  ensureFirstAdministrator,
  listMembers,
  setSiteRole,
  setUserActive,
} from '../../../services/features/users/index.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

beforeAll(async () => {
  await ensureFirstAdministrator(own.db);
}, 120_000);

const config = { url: 'https://publish.example.com' };
const client = { address: '192.0.2.1', userAgent: 'test' };
const hash = '$argon2id$a-hash';
const newEmail = () => `u-${randomUUID()}@example.com`;
const makeUser = () => createUser(own.db, newEmail());
const tokenOf = (url: string) => url.split('#')[1]!;

async function makeLink(userId: string, kind: LinkKind): Promise<string> {
  return tokenOf((await own.db.transaction((tx) => createLink(tx, config, userId, kind))).url);
}
const accept = (token: string, passwordHash?: string, name?: string) =>
  own.db.transaction((tx) => acceptLink(tx, { token, name, passwordHash }, client));
const startOf = async (userId: string) => (await own.db.transaction((tx) => startSession(tx, userId, client))).token;

describe('a link', () => {
  test('has its token in the fragment; the database has a hash of it', async () => {
    const { id } = await makeUser();
    const link = await own.db.transaction((tx) => createLink(tx, config, id, 'sign_in'));
    expect(link.url).toMatch(/^https:\/\/publish\.example\.com\/dashboard\/link#[\w-]{43}$/);
    const rows = await own.db.query('SELECT * FROM account_links WHERE user_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(link.url));
  });

  // rule: threat.50
  test('signs in one of twenty that use it at once', async () => {
    const { id } = await makeUser();
    const token = await makeLink(id, 'sign_in');
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => accept(token)));
    const signedIn = results.filter(({ status }) => status === 'fulfilled');
    expect(signedIn).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
    expect(await own.db.query('SELECT id FROM sessions WHERE user_id = $1', [id])).toHaveLength(1);
  });

  test('is dead after fifteen minutes, and its row goes', async () => {
    const { id } = await makeUser();
    const token = await makeLink(id, 'sign_in');
    const { expiresAt } = await inspectLink(own.db, token);
    const minutes = (expiresAt.getTime() - Date.now()) / 60_000;
    expect([minutes > 10, minutes <= 15]).toEqual([true, true]);
    await own.db.query("UPDATE account_links SET expires_at = now() - INTERVAL '2 hours' WHERE user_id = $1", [id]);
    await expect(inspectLink(own.db, token)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accept(token)).rejects.toMatchObject({ code: 'not_found' });
    await deleteExpiredAccess(own.db);
    expect(await own.db.query('SELECT kind FROM account_links WHERE user_id = $1', [id])).toEqual([]);
  });

  test('is dead for a deactivated user, and stays so', async () => {
    const { id, email } = await makeUser();
    const token = await makeLink(id, 'sign_in');
    await own.db.transaction((tx) => setUserActive(tx, email, false));
    await expect(accept(token)).rejects.toMatchObject({ code: 'not_found' });
    await own.db.transaction((tx) => setUserActive(tx, email, true));
    await expect(accept(token)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('that sets a password needs one, and stays usable without; one that signs in takes none', async () => {
    const { id } = await makeUser();
    for (const kind of ['invitation', 'reset'] as const) {
      const token = await makeLink(id, kind);
      await expect(accept(token)).rejects.toMatchObject({ code: 'validation_failed' });
      expect(await accept(token, hash, 'Ada')).toMatchObject({ next: 'done' });
    }
    expect(await findAccount(own.db, id)).toMatchObject({ name: 'Ada', password_hash: hash });
    const token = await makeLink(id, 'sign_in');
    await expect(accept(token, hash)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await accept(token)).toMatchObject({ next: 'done' });
  });

  test('that sets a password ends every session and every other link', async () => {
    const { id } = await makeUser();
    const session = await startOf(id);
    const [first, second, signIn] = [
      await makeLink(id, 'reset'),
      await makeLink(id, 'reset'),
      await makeLink(id, 'sign_in'),
    ];
    const { token } = await accept(first, hash);
    expect(await readSession(own.db, session)).toBeUndefined();
    expect(await readSession(own.db, token)).toMatchObject({ userId: id });
    await expect(accept(second, hash)).rejects.toMatchObject({ code: 'not_found' });
    await expect(accept(signIn)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an invitation from the command line', () => {
  const ask = (email: string) => own.db.transaction((tx) => invite(tx, config, { email, site: '*', role: 'editor' }));

  test('makes the user with the role, and a link; again, another link', async () => {
    const email = newEmail();
    expect((await ask(email.toUpperCase()))?.kind).toBe('invitation');
    expect((await ask(email))?.kind).toBe('invitation');
    const member = (await listMembers(own.db)).find((one) => one.email === email)!;
    expect(member.roles).toEqual([{ site: '*', role: 'editor', team: null }]);
  });

  test('makes no link for a user who has a password, and changes nothing for a deactivated one', async () => {
    const { id, email } = await makeUser();
    await accept(await makeLink(id, 'reset'), hash);
    expect(await ask(email)).toBeUndefined();
    await own.db.transaction((tx) => setUserActive(tx, email, false));
    await expect(ask(email)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('an invitation by a member', () => {
  const [owner, administrator] = [{ administrator: false }, { administrator: true }];
  const mails = { ...config, smtpUrl: 'smtp://mail.example.com' };
  const ask = (email: string, settings: typeof config & { smtpUrl?: string }, inviter: typeof owner) =>
    own.db.transaction((tx) =>
      inviteAsMember(tx, { smtpUrl: undefined, ...settings }, { email, site: '*', role: 'viewer' }, inviter),
    );
  const queued = (email: string) => own.db.query('SELECT kind, status FROM mails WHERE email = $1', [email]);

  // rule: threat.51
  test('goes to the mailbox, so that nobody opens an account in the name of another', async () => {
    const email = newEmail();
    expect(await ask(email, mails, owner)).toMatchObject({ link: undefined, mailQueued: true });
    expect(await queued(email)).toEqual([{ kind: 'invitation', status: 'queued' }]);
  });

  // rule: threat.51
  test('without a mail server is for administrators, who get the link; others leave no user behind', async () => {
    const email = newEmail();
    await expect(ask(email, config, owner)).rejects.toMatchObject({ code: 'conflict' });
    expect((await listMembers(own.db)).some((one) => one.email === email)).toBe(false);
    expect((await ask(email, config, administrator)).link?.kind).toBe('invitation');
  });

  test('gives no first role to a user whose keys it would limit, unless an administrator does', async () => {
    const { email } = await makeUser();
    await expect(ask(email, mails, owner)).rejects.toMatchObject({ code: 'conflict' });
    await ask(email, mails, administrator);
    expect((await listMembers(own.db)).find((one) => one.email === email)?.roles).toHaveLength(1);
  });

  test('of a member with a password is a conflict: the role is changed instead', async () => {
    const { id, email } = await makeUser();
    await own.db.transaction((tx) => setSiteRole(tx, email, '*', 'author'));
    await accept(await makeLink(id, 'reset'), hash);
    await expect(ask(email, mails, owner)).rejects.toMatchObject({ code: 'conflict' });
  });
});
