import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { makeSite, stackDatabase } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { makeLink, makeSignedIn, password, signInByLink, tokenOf } from '../../harness/dashboard.ts';
import {
  appearances,
  dashboardOrigin,
  findAxeProblems,
  openDashboardPage,
  overflowsSideways,
} from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
/** As if no code had been used: the next one comes half a minute later. */
const forgetSteps = (id: string) =>
  stackDatabase().query('UPDATE user_totp SET last_step = 0 WHERE user_id = $1', [id]);

async function openAsStranger(path: string): Promise<Page> {
  const page = await (await browser().newContext()).newPage();
  await page.goto(`${dashboardOrigin}/dashboard${path}`);
  return page;
}

async function makeMemberWithPassword() {
  const site = await makeSite();
  const { user } = await makeSignedIn(await makeMember(site.slug, 'editor'));
  return { site, user };
}

test('by keyboard: a page asks a stranger to sign in, and then shows itself', async () => {
  const { site, user } = await makeMemberWithPassword();
  const page = await openAsStranger(`/sites/${site.slug}`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.keyboard.type(user.email); // the field has the focus
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/sites/${site.slug}`);
});

test('a second factor is set up with a secret and a first code, shows recovery codes once, and is then asked for', async () => {
  const { site, user } = await makeMemberWithPassword();
  const { page, complaints } = await openDashboardPage(browser(), { userId: user.id, path: '/account' });
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByLabel('Present password').fill(password);
  await section.getByRole('button', { name: 'Set up' }).click();
  await section.getByRole('img', { name: 'Picture to scan' }).waitFor();
  const secret = (await section.locator('.secret').textContent())!;
  await section.getByLabel('Code').fill(codeOf(secret));
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  const codes = await section.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await section.getByRole('button', { name: 'I have kept the codes' }).click();
  await section.getByText('10 recovery codes are left.').waitFor();
  expect(complaints).toEqual([]);

  await forgetSteps(user.id);
  for (const code of [codeOf(secret), codes[0]!]) {
    const stranger = await openAsStranger('');
    await stranger.getByLabel('E-mail address').fill(user.email);
    await stranger.getByLabel('Password').fill(password);
    await stranger.keyboard.press('Enter');
    await stranger.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await stranger.getByLabel('Code').fill(code);
    await stranger.keyboard.press('Enter');
    await stranger.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  }
});

test('a reset link sets a new password; without a mail server, asking for one says whom to ask', async () => {
  const { site, user } = await makeMemberWithPassword();
  const stranger = await openAsStranger('');
  await stranger.getByRole('button', { name: 'Forgot the password?' }).click();
  await stranger.getByLabel('E-mail address').fill('nobody@example.com');
  await stranger.getByRole('button', { name: 'Send a link' }).click();
  await stranger.getByText('This installation sends no mail: ask an administrator for a link.').waitFor();

  const page = await openAsStranger(`/link#${tokenOf(await makeLink(user.id, 'reset'))}`);
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  expect(await page.getByRole('heading', { name: 'Set your password' }).count()).toBe(1);
  await page.getByLabel('Password').fill('another battery horse');
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
});

test('signing out everywhere ends the sessions of other browsers, which ask to sign in at their next request', async () => {
  const { site, user } = await makeMemberWithPassword();
  const elsewhere = await openDashboardPage(browser(), { userId: user.id, path: `/sites/${site.slug}` });
  await elsewhere.page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  const { page } = await openDashboardPage(browser(), { userId: user.id, path: '/account' });
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await elsewhere.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('one session is ended from the list', async () => {
  const { user } = await makeMemberWithPassword();
  const other = await signInByLink(user.id);
  const { page } = await openDashboardPage(browser(), { userId: user.id, path: '/account' });
  const ends = page.getByRole('button', { name: /^End the session of/ });
  await ends.first().waitFor();
  for (let left = await ends.count(); left > 0; left--) {
    await ends.first().click();
    await ends.nth(left - 1).waitFor({ state: 'detached' });
  }
  expect((await other.call('GET', '/me')).status).toBe(401);
});

test.each(appearances)(
  'the pages without a session have no serious problem of accessibility: %j',
  async (appearance) => {
    const { user } = await makeMemberWithPassword();
    const context = await browser().newContext({
      viewport: { width: appearance.width, height: 860 },
      colorScheme: appearance.colorScheme,
    });
    const page = await context.newPage();
    const check = async (heading: string) => {
      await page.getByRole('heading', { name: heading }).waitFor();
      expect([heading, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([heading, [], false]);
    };
    await page.goto(`${dashboardOrigin}/dashboard`);
    await check('Sign in');
    await page.getByRole('button', { name: 'Forgot the password?' }).click();
    await check('Set a new password');
    await page.goto(`${dashboardOrigin}/dashboard/link#${tokenOf(await makeLink(user.id, 'reset'))}`);
    await check('Set your password');
  },
);
