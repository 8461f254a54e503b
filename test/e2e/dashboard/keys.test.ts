import { expect } from '@jest/globals';
import { makeSite, request } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember, makeUser } from '../../harness/people.ts';

const browser = provideChromium();

async function openKeys() {
  const site = await makeSite();
  const user = await makeMember(site.slug, 'editor');
  const open = (options: object = {}) => openDashboardPage(browser(), { userId: user.id, path: '/keys', ...options });
  const statusWith = async (key: string) =>
    (await request('GET', `/sites/${site.slug}`, { headers: { 'X-API-Key': key } })).status;
  return { site, user, open, statusWith };
}

test('by mouse: a key is created, shown once and works; rotated without overlap its old secret is rejected', async () => {
  const { site, open, statusWith } = await openKeys();
  const { page, complaints } = await open();
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('newsroom');
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  await dialog.getByText('Select at least one scope.').waitFor();
  await dialog.getByText('sites:read', { exact: false }).first().click();
  await dialog.getByText(`Site ${site.slug}`).click();
  await dialog.getByLabel('Valid for').selectOption('30');
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  await dialog.getByText('It is not shown again.').waitFor();
  const first = (await dialog.locator('code').textContent())!;
  expect(await statusWith(first)).toBe(200);
  await dialog.getByRole('button', { name: 'I have kept the key' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('listitem').filter({ hasText: 'newsroom' }).getByText('sites:read').waitFor();
  await page.getByRole('button', { name: 'Rotate the key newsroom' }).click();
  await dialog.getByLabel('The previous secret stays valid for').selectOption('0');
  await dialog.getByRole('button', { name: 'Create a new secret' }).click();
  await dialog.getByText('It is not shown again.').waitFor();
  const second = (await dialog.locator('code').textContent())!;
  expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
  expect(complaints).toEqual([]);
});

test('by keyboard: the palette creates a key; revoking asks first, Escape keeps the key', async () => {
  const { user, open, statusWith } = await openKeys();
  const key = await user.makeKey(['sites:read']);
  const { page, complaints } = await open();
  const revoke = page.getByRole('button', { name: /^Revoke the key/ });
  await revoke.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await statusWith(key)).toBe(200);
  await revoke.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The key is revoked.').waitFor();
  expect(await statusWith(key)).toBe(401);
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('create a key');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).waitFor();
  await page.keyboard.type('by hand');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await dialog.getByLabel('Every site, also later ones').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await dialog.getByText('It is not shown again.').waitFor();
  expect(complaints).toEqual([]);
});

test('a user sees own keys alone, an administrator those of all users', async () => {
  const { user, site, open } = await openKeys();
  await user.makeKey(['sites:read']);
  const other = await makeMember(site.slug, 'viewer');
  const { page } = await openDashboardPage(browser(), { userId: other.id, path: '/keys' });
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
  const own = await open();
  await own.page.getByRole('button', { name: /^Revoke the key/ }).waitFor();
  expect(await own.page.getByRole('button', { name: /^Revoke the key/ }).count()).toBe(1);
  const administrator = await makeUser({ administrator: true });
  const all = await openDashboardPage(browser(), { userId: administrator.id, path: '/keys' });
  await all.page.getByText(`of ${user.email}`).waitFor();
});

test.each(appearances)('keys have no serious problem of accessibility: %j', async (appearance) => {
  const { user, open } = await openKeys();
  await user.makeKey(['sites:read', 'content:read', 'content:write']);
  const { page } = await open(appearance);
  await page.getByRole('button', { name: /^Rotate the key/ }).waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
});
