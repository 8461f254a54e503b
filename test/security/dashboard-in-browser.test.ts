import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { closeStack, makeSite, stack } from '../harness/api.ts';
import { launchChromium, testInChromium as test } from '../harness/chromium.ts';
import { makeLink, makeSignedIn, openDashboard, password } from '../harness/dashboard.ts';
import { makeMember } from '../harness/people.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await closeStack();
});

const origin = stack.gateways[0]!;
const here = (url: string) => url.replace(/^.*?(?=\/dashboard)/, origin);

/** A page, and what its console and policy complain of. */
async function openPage(url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // a 401 before signing in is as it should be
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

test('an invitation sets name and password, and signs in; then the password signs in', async () => {
  const site = await makeSite();
  const user = await makeMember(site.slug, 'author');
  const { page, complaints } = await openPage(here((await makeLink(user.id, 'invitation')).url));
  await page.getByText(user.email).first().waitFor();
  expect(page.url()).toBe(`${origin}/dashboard/link`); // the token is gone from the address bar
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Your account Ada Lovelace' }).click();
  await page.getByText(`author of ${site.slug}`).waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(complaints).toEqual([]);

  await page.getByLabel('E-mail address').fill(user.email);
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
});

test('a sign-in link signs in at a click and not before, and its session outlives a reload', async () => {
  const { user } = await makeSignedIn();
  const { url } = await makeLink(user.id, 'sign_in');
  const { page, complaints } = await openPage(here(url));
  await page.getByText('It works once.').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Your account' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Your account' }).waitFor();
  expect(complaints).toEqual([]);
  const second = await openPage(here(url));
  await second.page.getByText('This link is not valid any more').waitFor();
});

// rule: threat.52
test('a page of another origin can neither frame the dashboard nor call it', async () => {
  const { user } = await makeSignedIn();
  const { page } = await openPage(here((await makeLink(user.id, 'sign_in')).url));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Your account' }).waitFor();
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(`${stack.gateways[1]!}/healthz`); // the same host, another port: cookies do not tell these apart
  const inside = await elsewhere.evaluate<string>(`(async (target) => {
    await fetch(target + '/dashboard/api/sign-out', { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => 0);
    const frame = document.createElement('iframe');
    frame.src = target + '/dashboard';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    try {
      return frame.contentDocument?.body.textContent ?? '';
    } catch {
      return '';
    }
  })(${JSON.stringify(origin)})`);
  expect(inside).not.toContain('Your account');
  await page.reload();
  await page.getByRole('link', { name: 'Your account' }).waitFor(); // still: what was sent from there had no effect
});

test('the page of a key request asks for a sign-in, shows what is requested, and approves it', async () => {
  const { user } = await makeSignedIn();
  const { data } = await openDashboard().call('POST', '/key-requests', {
    name: '<b>laptop</b>',
    scopes: ['content:read'],
    sites: ['*'],
  });
  const { page, complaints } = await openPage(here(data.url));
  await page.getByLabel('E-mail address').fill(user.email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Approve a command line' }).waitFor();
  expect(await page.getByLabel('Code that the command line shows').inputValue()).toBe(data.code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(`shows the code ${data.code}`).waitFor();
  await page.getByText('<b>laptop</b>').waitFor();
  await page.getByText('read posts and pages').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  expect(complaints).toEqual([]);
  const claimed = await openDashboard().call('POST', '/key-requests/claim', { token: data.token });
  expect(claimed.data).toMatchObject({ status: 'approved', user: user.email });
});
