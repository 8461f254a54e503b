import { expect } from '@jest/globals';
import { makeSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember, makeUser } from '../../harness/people.ts';

const browser = provideChromium();

const open = async (options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeUser({ administrator: true })).id,
    path: '/health',
    ...options,
  });

test('by mouse: an administrator finds the state of the installation in sentences', async () => {
  await makeSite();
  const { page, complaints } = await open({ path: '' });
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
  const engines = page.getByRole('list', { name: 'Engines' });
  await engines.getByText('The database responds.').waitFor();
  await engines.getByText('A worker does the work').or(engines.getByText('Temporal responds')).waitFor();
  await page.getByRole('list', { name: 'Backups' }).getByText('Backups are kept in').waitFor();
  expect(complaints).toEqual([]);
});

test('by keyboard: it is opened from the command palette and read again', async () => {
  const { page } = await open({ path: '' });
  await page.getByRole('link', { name: 'Health' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Health');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Engines' }).waitFor();
  const again = page.waitForResponse((response) => response.url().endsWith('/dashboard/api/health'));
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  expect((await again).status()).toBe(200);
});

test('an owner of a site does not see it', async () => {
  const site = await makeSite();
  const { page } = await open({ userId: (await makeMember(site.slug, 'owner')).id, path: `/sites/${site.slug}` });
  await page.getByRole('link', { name: 'Keys' }).waitFor();
  expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0);
});

test.each(appearances)('health has no serious problem of accessibility: %j', async (appearance) => {
  const { page } = await open(appearance);
  await page.getByRole('list', { name: 'Backups' }).waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
});
