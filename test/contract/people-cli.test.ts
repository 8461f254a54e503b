import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { setUserActive } from '../../services/features/users/index.ts';
import { closeStack, makeSite, stack, stackDatabase } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { makeSignedIn, openDashboard, password, tokenOf } from '../harness/dashboard.ts';
import { makeUser } from '../harness/people.ts';

afterAll(closeStack);

const newEmail = () => `u-${randomUUID()}@example.com`;
const accept = (url: string, body: object = {}) =>
  openDashboard().call('POST', '/links/accept', { token: tokenOf({ url }), ...body });

test('users invite makes a person with a role, and prints the link that sets the password', async () => {
  const site = await makeSite();
  const email = newEmail();
  const { code, stdout } = await runCli('users', 'invite', email, '--site', site.slug, '--role', 'author', '--json');
  const printed = JSON.parse(stdout);
  expect([code, Object.keys(printed), printed.email, printed.mailed]).toEqual([
    0,
    ['email', 'link', 'expires_at', 'mailed'],
    email,
    false,
  ]);
  expect(printed.link.startsWith(`${stack.env['FIELDSTONE_URL']}/dashboard/link#`)).toBe(true);
  expect((await accept(printed.link, { name: 'Ada', password })).data).toEqual({ next: 'done' });
  const again = await runCli('users', 'invite', email, '--site', site.slug, '--role', 'editor');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('no link is needed')]);
});

test('users reset and users link print links; the first administrator is the default of users link', async () => {
  const { user } = await makeSignedIn();
  const reset = JSON.parse((await runCli('users', 'reset', user.email, '--json')).stdout);
  expect((await accept(reset.link, { password: 'another correct horse' })).status).toBe(200);
  const link = await runCli('users', 'link', user.email.toUpperCase());
  const url = link.stdout.split('\n')[0]!;
  expect((await accept(url)).data).toEqual({ next: 'done' });
  expect((await accept(url)).status).toBe(404);
  const first = JSON.parse((await runCli('users', 'link', '--json')).stdout);
  expect(first.email).toBe('admin@localhost');
});

test('with a mail server that is away the link is printed all the same, and the failure told', async () => {
  const user = await makeUser();
  const smtp = { FIELDSTONE_SMTP_URL: 'smtp://127.0.0.1:1', FIELDSTONE_SMTP_FROM: 'post@example.com' };
  const { code, stdout, stderr } = await runCli.with(smtp, 'users', 'link', user.email, '--json');
  expect([code, JSON.parse(stdout).mailed]).toEqual([0, false]);
  expect(stderr).toContain(`The mail to ${user.email} was not sent:`);
  expect((await runCli.with(smtp, 'users', 'link', user.email, '--no-mail')).stderr).toBe('');
});

test('there is no link for an unknown or deactivated user, and no invitation to an unknown site', async () => {
  const user = await makeUser();
  await stackDatabase().transaction((tx) => setUserActive(tx, user.email, false));
  for (const command of ['reset', 'link']) {
    expect((await runCli('users', command, 'nobody@example.com')).code).toBe(4);
    const { code, stderr } = await runCli('users', command, user.email);
    expect([code, stderr.trim()]).toEqual([1, `The user ${user.email} is deactivated.`]);
  }
  const invited = await runCli('users', 'invite', newEmail(), '--site', 'no-such-site', '--role', 'author');
  expect(invited.code).toBe(4);
  expect((await runCli('users', 'invite', newEmail(), '--site', '*')).code).toBe(2);
});
