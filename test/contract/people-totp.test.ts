import { afterAll, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { closeStack, stackDatabase } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { makeLink, makeSignedIn, openDashboard, password, tokenOf } from '../harness/dashboard.ts';

afterAll(closeStack);

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
/** As if no code had been used: the next one comes half a minute later. */
const forgetSteps = (id: string) =>
  stackDatabase().query('UPDATE user_totp SET last_step = 0 WHERE user_id = $1', [id]);

async function makeUserWithTotp() {
  const { user, client } = await makeSignedIn();
  const begun = await client.call('POST', '/me/totp', { password });
  const secret: string = begun.data.secret;
  const confirmed = await client.call('POST', '/me/totp/confirm', { code: codeOf(secret) });
  return { user, client, secret, recovery: confirmed.data.recovery_codes as string[] };
}

test('a second factor is begun with the password, confirmed with a code, and then asked for after the password', async () => {
  const { user, client } = await makeSignedIn();
  expect((await client.call('POST', '/me/totp', {})).status).toBe(403);
  const { secret, uri } = (await client.call('POST', '/me/totp', { password })).data;
  expect(uri).toContain(secret);
  expect((await client.call('POST', '/me/totp/confirm', { code: 'nothing' })).status).toBe(403);
  const confirmed = await client.call('POST', '/me/totp/confirm', { code: codeOf(secret) });
  expect(confirmed.data.recovery_codes).toHaveLength(10);
  expect((await client.call('GET', '/me')).data.totp).toEqual({ enabled: true, recovery_codes: 10 });

  const other = openDashboard();
  const first = await other.call('POST', '/sign-in', { email: user.email, password });
  expect(first.data).toEqual({ next: 'totp' });
  const waiting = other.cookie;
  for (const path of ['/me', '/sessions']) expect((await other.call('GET', path)).status).toBe(401);
  expect((await other.call('POST', '/sign-in/totp', { code: 'nothing' })).status).toBe(401);
  await forgetSteps(user.id);
  const code = codeOf(secret);
  expect((await other.call('POST', '/sign-in/totp', { code })).data).toEqual({ next: 'done' });
  expect((await other.call('GET', '/me')).status).toBe(200);
  expect(other.cookie).not.toBe(waiting);
  expect((await openDashboard(waiting).call('GET', '/me')).status).toBe(401);

  const again = openDashboard();
  await again.call('POST', '/sign-in', { email: user.email, password });
  expect((await again.call('POST', '/sign-in/totp', { code })).status).toBe(401); // it was used
  expect((await other.call('POST', '/sign-in/totp', { code })).status).toBe(401); // signed in already
});

// rule: threat.51
test('a link does not go round it, and a recovery code stands in for it, once', async () => {
  const { user, recovery } = await makeUserWithTotp();
  for (const kind of ['sign_in', 'reset'] as const) {
    const client = openDashboard();
    const token = tokenOf(await makeLink(user.id, kind));
    const reply = await client.call('POST', '/links/accept', kind === 'reset' ? { token, password } : { token });
    expect(reply.data).toEqual({ next: 'totp' });
    expect((await client.call('GET', '/me')).status).toBe(401);
    const code = recovery.pop()!;
    expect((await client.call('POST', '/sign-in/totp', { code })).status).toBe(200);
    expect((await client.call('GET', '/me')).data.totp.recovery_codes).toBe(recovery.length);
  }
});

test('it is removed with the password, or from the command line for a lost device', async () => {
  const { client } = await makeUserWithTotp();
  expect((await client.call('POST', '/me/totp/remove', { password: 'wrong' })).status).toBe(403);
  expect((await client.call('POST', '/me/totp/remove', { password })).status).toBe(200);
  expect((await client.call('POST', '/me/totp/remove', { password })).status).toBe(404);

  const lost = await makeUserWithTotp();
  const { stdout } = await runCli('users', 'reset', lost.user.email, '--totp', '--json');
  const token = tokenOf({ url: JSON.parse(stdout).link });
  expect((await openDashboard().call('POST', '/links/accept', { token, password })).data).toEqual({ next: 'done' });
});
