import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { setUserActive } from '../../services/features/users/index.ts';
import { type ApiReply, closeStack, makeSite, request, stack, stackDatabase } from '../harness/api.ts';
import { makeLink, makeSignedIn, openDashboard, password, signInByLink, tokenOf } from '../harness/dashboard.ts';
import { makeUser } from '../harness/people.ts';
import { startRole } from '../harness/role.ts';

afterAll(closeStack);

const signIn = (email: string, given = password, client = openDashboard()) =>
  client.call('POST', '/sign-in', { email, password: given });
/** All that a client sees of a reply, but for what differs in every one. */
function seen({ status, text, headers }: ApiReply): unknown {
  const told = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return [status, text, told];
}
const statusOf = async (reply: Promise<ApiReply>) => (await reply).status;

describe('signing in', () => {
  test('with e-mail and password opens a session on every gateway; the cookie is for the dashboard alone', async () => {
    const { user } = await makeSignedIn();
    const client = openDashboard();
    const reply = await signIn(user.email.toUpperCase(), password, client);
    expect([reply.status, reply.data]).toEqual([200, { next: 'done' }]);
    expect(reply.headers.get('set-cookie')).toMatch(
      /^fieldstone_session_\d+=[\w-]{43}; Max-Age=2592000; Path=\/dashboard; HttpOnly; SameSite=Strict$/,
    );
    for (const gateway of [0, 1]) {
      const me = await client.call('GET', '/me', undefined, { gateway });
      expect([me.status, me.data.email, me.data.administrator, me.data.roles]).toEqual([200, user.email, false, []]);
    }
  });

  // rule: threat.49
  test('fails alike for an unknown e-mail, a wrong password, no password and a deactivated user', async () => {
    const [{ user }, without, gone] = [await makeSignedIn(), await makeUser(), await makeSignedIn()];
    await stackDatabase().transaction((tx) => setUserActive(tx, gone.user.email, false));
    const failures = [
      seen(await signIn('nobody@example.com')),
      seen(await signIn(user.email, 'another one entirely')),
      seen(await signIn(without.email)),
      seen(await signIn(without.email, '')),
      seen(await signIn(gone.user.email)),
    ];
    expect(failures[0]).toMatchObject([401, expect.stringContaining('"unauthorized"'), expect.anything()]);
    for (const failure of failures) expect(failure).toEqual(failures[0]);
  });

  // rule: threat.49
  test('costs one check of a password whatever is wrong, so that time does not tell', async () => {
    await using gateway = await startRole('gateway');
    const { user } = await makeSignedIn();
    const count = async () => {
      const metrics = await (await fetch(`${gateway.ops}/metrics`)).text();
      return Number(/^fieldstone_password_checks_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const attempt = (email: string, given: string) =>
      fetch(`${gateway.url}/dashboard/api/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: gateway.url },
        body: JSON.stringify({ email, password: given }),
      });
    const without = await makeUser();
    for (const [email, given] of [
      ['nobody@example.com', password],
      [user.email, 'another one entirely'],
      [without.email, password],
    ] as const) {
      const before = await count();
      expect((await attempt(email, given)).status).toBe(401);
      expect(await count()).toBe(before + 1);
    }
  });

  test('is 422 for what is no request, and 413 for a large one', async () => {
    const client = openDashboard();
    const call = (body: unknown) => client.call('POST', '/sign-in', body);
    expect((await call({ email: 'a@b' })).error.details).toEqual([{ path: 'password', message: 'is required' }]);
    expect(await statusOf(call({ email: 'a@b', password: 'x', more: 1 }))).toBe(422);
    expect(await statusOf(call({ email: 'a@b', password: 'x'.repeat(70_000) }))).toBe(413);
    const typed = client.call('POST', '/sign-in', {}, { headers: { 'Content-Type': 'text/plain' } });
    expect(await statusOf(typed)).toBe(415);
  });
});

describe('a session ends', () => {
  test('by signing out, here and on every gateway; again is no error', async () => {
    const { client } = await makeSignedIn();
    const { cookie } = client;
    expect(await statusOf(client.call('POST', '/sign-out'))).toBe(200);
    expect(client.cookie).toBe('');
    for (const gateway of [0, 1])
      expect(await statusOf(openDashboard(cookie).call('GET', '/me', undefined, { gateway }))).toBe(401);
    expect(await statusOf(client.call('POST', '/sign-out'))).toBe(200);
  });

  test('by its entry in the list, and all by signing out everywhere', async () => {
    const { user, client } = await makeSignedIn();
    const [second, third] = [await signInByLink(user.id), await signInByLink(user.id)];
    const { sessions } = (await client.call('GET', '/sessions')).data;
    expect(sessions).toHaveLength(3);
    const { session: secondId } = (await second.call('GET', '/me')).data;
    expect(await statusOf(client.call('DELETE', `/sessions/${secondId}`))).toBe(200);
    expect(await statusOf(client.call('DELETE', `/sessions/${secondId}`))).toBe(404);
    expect([await statusOf(second.call('GET', '/me')), await statusOf(third.call('GET', '/me'))]).toEqual([401, 200]);
    expect(await statusOf(third.call('DELETE', '/sessions'))).toBe(200);
    expect([await statusOf(client.call('GET', '/me')), third.cookie]).toEqual([401, '']);
  });

  // rule: threat.50
  test('when its user is deactivated, at once', async () => {
    const { user, client } = await makeSignedIn();
    expect(await statusOf(client.call('GET', '/me'))).toBe(200);
    await stackDatabase().transaction((tx) => setUserActive(tx, user.email, false));
    for (const gateway of [0, 1]) expect(await statusOf(client.call('GET', '/me', undefined, { gateway }))).toBe(401);
  });

  // rule: threat.50
  test('when the password changes, but for the one that changed it; the present one is asked for', async () => {
    const { user, client } = await makeSignedIn();
    const other = await signInByLink(user.id);
    const change = (body: object) => client.call('POST', '/me/password', body);
    const next = 'another correct horse';
    expect(await statusOf(change({ new_password: next }))).toBe(403);
    expect(await statusOf(change({ password: 'wrong', new_password: next }))).toBe(403);
    expect(await statusOf(change({ password, new_password: 'short' }))).toBe(422);
    expect(await statusOf(change({ password, new_password: next }))).toBe(200);
    expect([await statusOf(client.call('GET', '/me')), await statusOf(other.call('GET', '/me'))]).toEqual([200, 401]);
    expect([await statusOf(signIn(user.email)), await statusOf(signIn(user.email, next))]).toEqual([401, 200]);
  });

  // rule: threat.50
  test('of changes of one password at the same time exactly one counts: the others had an ended session', async () => {
    const { user, client } = await makeSignedIn();
    const clients = [client, await signInByLink(user.id), await signInByLink(user.id)];
    const nextOf = (n: number) => `another correct horse ${n}`;
    const replies = await Promise.all(
      clients.map((each, n) => each.call('POST', '/me/password', { password, new_password: nextOf(n) })),
    );
    const changed = replies.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(changed).toHaveLength(1);
    for (const { status } of replies) expect([200, 401, 403]).toContain(status);
    expect(await statusOf(signIn(user.email, nextOf(changed[0]!)))).toBe(200);
  });
});

describe('a call of the dashboard', () => {
  // rule: threat.52
  test('is refused from pages that are not ours, whatever its cookie', async () => {
    const { client } = await makeSignedIn();
    const from = (headers: Record<string, string>) =>
      client.call('PATCH', '/me', { name: 'Mallory' }, { headers }).then(({ status, error }) => [status, error?.code]);
    expect(await from({ Origin: 'https://evil.example.com' })).toEqual([403, 'forbidden']);
    expect(await from({ Origin: 'http://127.0.0.1:1' })).toEqual([403, 'forbidden']);
    expect(await from({ 'Sec-Fetch-Site': 'same-site' })).toEqual([403, 'forbidden']);
    expect(await statusOf(client.call('GET', '/me', undefined, { headers: { 'Sec-Fetch-Site': 'cross-site' } }))).toBe(
      403,
    );
    expect((await client.call('GET', '/me')).data.name).not.toBe('Mallory');
    expect(await from({})).toEqual([200, undefined]);
  });

  // rule: threat.52
  test('ignores API keys, and the API and uploads ignore cookies', async () => {
    const { client } = await makeSignedIn(await makeUser({ administrator: true }));
    const { key } = await makeSite();
    const byKey = await openDashboard().call('GET', '/me', undefined, { headers: { 'X-API-Key': key } });
    expect(byKey.status).toBe(401);
    const headers = { Cookie: client.cookie, Origin: stack.env['FIELDSTONE_URL']! };
    expect((await request('GET', '/sites', { headers })).status).toBe(401);
    expect((await request('POST', '//uploads', { headers })).status).toBe(401);
  });
});

describe('a link', () => {
  // rule: threat.50
  test('takes effect by POST alone: opening it, and looking what it is for, leave it usable', async () => {
    const user = await makeUser();
    const link = await makeLink(user.id, 'sign_in');
    const client = openDashboard();
    const page = await fetch(link.url.replace(/^.*?(?=\/dashboard)/, stack.gateways[0]!));
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    const token = tokenOf(link);
    for (let i = 0; i < 2; i++)
      expect((await client.call('POST', '/links/inspect', { token })).data).toMatchObject({
        kind: 'sign_in',
        email: user.email,
      });
    expect((await client.call('POST', '/links/accept', { token })).data).toEqual({ next: 'done' });
    for (const call of ['inspect', 'accept'])
      expect(await statusOf(client.call('POST', `/links/${call}`, { token }))).toBe(404);
  });

  // rule: threat.50
  test('is in no log file', async () => {
    const user = await makeUser();
    const tokens = await Promise.all(
      (['sign_in', 'invitation', 'reset'] as const).map(async (kind) => tokenOf(await makeLink(user.id, kind))),
    );
    const client = openDashboard();
    for (const token of [...tokens, 'no-such-token-at-all']) await client.call('POST', '/links/accept', { token });
    await client.call('GET', `/links/${tokens[0]}`);
    const folder = path.join(stack.dataDir, 'logs');
    const logs = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
    expect(logs.length).toBeGreaterThan(0);
    for (const token of tokens) expect(logs.filter((text) => text.includes(token))).toEqual([]);
  });

  test('for a new password cannot be requested if no mail is sent, for known and unknown users alike', async () => {
    const { user } = await makeSignedIn();
    const ask = async (email: string) => seen(await openDashboard().call('POST', '/links/reset', { email }));
    const [known, unknown] = [await ask(user.email), await ask('nobody@example.com')];
    expect(known).toMatchObject([409, expect.stringContaining('ask an administrator'), expect.anything()]);
    expect(known).toEqual(unknown);
  });

  test('for a new password is asked for alike with a mail server, whether or not there is such a user', async () => {
    const smtp = { FIELDSTONE_SMTP_URL: 'smtp://127.0.0.1:1', FIELDSTONE_SMTP_FROM: 'post@example.com' };
    await using gateway = await startRole('gateway', smtp);
    const { user } = await makeSignedIn();
    const ask = (email: string) =>
      fetch(`${gateway.url}/dashboard/api/links/reset`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: gateway.url },
        body: JSON.stringify({ email }),
      });
    for (const email of [user.email, 'nobody@example.com']) {
      const reply = await ask(email);
      expect([reply.status, await reply.json()]).toEqual([200, { success: true, data: { done: true } }]);
      const mails = await stackDatabase().query('SELECT kind FROM mails WHERE email = $1', [email]);
      expect(mails).toEqual([{ kind: 'reset' }]);
      await stackDatabase().query('DELETE FROM mails WHERE email = $1', [email]);
    }
  });
});

describe('attempts are throttled', () => {
  /** An address of this test alone. */
  const freshAddress = () => `198.51.${randomInt(256)}.${randomInt(256)}`;
  const limits = {
    FIELDSTONE_RATE_LIMIT_SIGN_IN_IP: '10',
    FIELDSTONE_RATE_LIMIT_SIGN_IN_ACCOUNT: '5',
    FIELDSTONE_TRUSTED_PROXIES: '127.0.0.1/32',
  };

  // rule: threat.49
  test('ten a minute from an address, five for an account, known or not; with Retry-After', async () => {
    await using gateway = await startRole('gateway', limits);
    const post = async (call: string, body: object, address: string) => {
      const headers = { 'Content-Type': 'application/json', Origin: gateway.url, 'X-Forwarded-For': address };
      const reply = await fetch(`${gateway.url}/dashboard/api${call}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: reply.status, after: Number(reply.headers.get('retry-after')) };
    };
    const all = (count: number, ask: (n: number) => ReturnType<typeof post>) =>
      Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
    const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).sort();

    // counted in a window of a minute that begins with the first: all at once are in one
    const address = freshAddress();
    const links = await all(12, () => post('/links/inspect', { token: 'x' }, address));
    expect(statuses(links)).toEqual([...Array(10).fill(404), 429, 429]);
    expect(links.find(({ status }) => status === 429)!.after).toBeGreaterThan(0);
    expect((await post('/links/inspect', { token: 'x' }, freshAddress())).status).toBe(404);

    const { user } = await makeSignedIn();
    for (const email of [user.email, `nobody-${randomInt(1e9)}@example.com`]) {
      const attempts = await all(7, (n) =>
        post('/sign-in', { email: n % 2 ? email.toUpperCase() : email, password: 'wrong' }, freshAddress()),
      );
      expect(statuses(attempts)).toEqual([...Array(5).fill(401), 429, 429]);
    }
  });
});
