import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { makeSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { makeSignedIn } from '../../harness/dashboard.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember, makeUser } from '../../harness/people.ts';

const browser = provideChromium();

async function openSite(view: string) {
  const site = await makeSite();
  const owner = await makeMember(site.slug, 'owner');
  const member = await makeMember(site.slug, 'viewer');
  const open = (user = owner, options: object = {}) =>
    openDashboardPage(browser(), { userId: user.id, path: `/sites/${site.slug}/${view}`, ...options });
  return { site, owner, member, open };
}

test('by mouse: an owner gives a role to a user, changes it, removes the member and undoes that', async () => {
  const { open } = await openSite('people');
  const { email } = (await makeSignedIn(await makeMember((await makeSite()).slug, 'viewer'))).user;
  const { page, complaints } = await open();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Role').selectOption('author');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByText(`${email} has a role now.`).waitFor();
  const role = page.getByLabel(`Role of ${email}`);
  expect(await role.inputValue()).toBe('author');
  await role.selectOption('editor');
  await page.getByText(`${email} is editor now.`).waitFor();
  await page.getByRole('button', { name: `Remove ${email} from the site` }).click();
  await page.getByText(`${email} is removed from the site.`).waitFor();
  await role.waitFor({ state: 'detached' });
  const removed = page.getByRole('alertdialog').filter({ hasText: 'is removed from the site' });
  await removed.getByRole('button', { name: 'Undo' }).click();
  await role.waitFor();
  expect(await role.inputValue()).toBe('editor');
  expect(complaints).toEqual([]);
});

test('by keyboard: the palette invites; a viewer sees members and changes nothing', async () => {
  const { member, owner, open } = await openSite('people');
  const { email } = (await makeSignedIn(await makeMember((await makeSite()).slug, 'viewer'))).user;
  const { page } = await open();
  await page.getByRole('listitem').filter({ hasText: member.email }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('invite');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('E-mail').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.getByLabel(`Role of ${email}`).waitFor();
  const viewer = await open(member);
  await viewer.page.getByRole('listitem').filter({ hasText: owner.email }).waitFor();
  expect(await viewer.page.getByRole('button', { name: /^(Invite|Remove)/ }).count()).toBe(0);
  expect(await viewer.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
});

test('the audit log is filtered by person, operation and day', async () => {
  const { site, owner, open } = await openSite('audit');
  await site.request('POST', '/redirects', { from: '/old/', to: '/new/', status: 301 });
  await site.request('PATCH', '', { name: 'Renamed' });
  const { page, complaints } = await open();
  const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
  await rows.filter({ hasText: 'Update site' }).waitFor();
  await rows.filter({ hasText: 'Create redirect' }).waitFor();
  await page.getByLabel('Operation').fill('createRedirect');
  await rows.filter({ hasText: 'Update site' }).waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(1);
  await page.getByLabel('Person').selectOption(owner.id);
  await page.getByRole('heading', { name: 'No change matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await rows.filter({ hasText: 'Update site' }).waitFor();
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByRole('heading', { name: 'No change matches' }).waitFor();
  expect(complaints).toEqual([]);
});

test('by mouse: an administrator deactivates a user and undoes it, and makes a link that sets a new password', async () => {
  const administrator = await makeUser({ administrator: true });
  const user = await makeMember((await makeSite()).slug, 'editor');
  const { page, complaints } = await openDashboardPage(browser(), { userId: administrator.id, path: '/users' });
  const row = page.getByRole('listitem').filter({ hasText: user.email });
  await page.getByRole('button', { name: `Deactivate ${user.email}` }).click();
  await row.getByText('Deactivated').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('Deactivated').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Reset link for ${user.email}` }).click();
  await page
    .getByText('Pass this link on.')
    .or(page.getByText(`is on its way to ${user.email}`))
    .waitFor();
  expect(complaints).toEqual([]);
});

test('by keyboard: an administrator creates a team, adds a member, and deletes the team', async () => {
  const administrator = await makeUser({ administrator: true });
  const user = await makeUser();
  const name = `Desk ${randomUUID().slice(0, 8)}`;
  const { page, complaints } = await openDashboardPage(browser(), { userId: administrator.id, path: '/users' });
  await page.getByRole('button', { name: 'Create a team' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Add a member').focus();
  await page.keyboard.type(user.email);
  await page.keyboard.press('Enter');
  await dialog.getByRole('listitem').filter({ hasText: user.email }).waitFor();
  await page.keyboard.press('Escape');
  const row = page.getByRole('list', { name: 'Teams' }).getByRole('listitem').filter({ hasText: name });
  await row.getByText(user.email).waitFor();
  await page.getByRole('button', { name: `Delete the team ${name}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: `Delete the team “${name}”?` }).waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test.each(appearances)(
  'people, audit log, users and teams have no serious problem of accessibility: %j',
  async (appearance) => {
    const site = await makeSite();
    await makeMember(site.slug, 'author');
    await site.request('PATCH', '', { name: 'Renamed' });
    const { id } = await makeUser({ administrator: true });
    for (const path of [`/sites/${site.slug}/people`, `/sites/${site.slug}/audit`, '/users']) {
      const { page } = await openDashboardPage(browser(), { userId: id, path, ...appearance });
      await page.getByRole('main').getByRole('listitem').first().waitFor();
      expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
    }
  },
);
