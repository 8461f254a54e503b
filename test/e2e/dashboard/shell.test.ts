import { expect } from '@jest/globals';
import { makeSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import {
  appearances,
  dashboardOrigin,
  findAxeProblems,
  openDashboardPage,
  overflowsSideways,
} from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

test('a member of one site starts at its overview, by mouse goes to the account and back', async () => {
  const site = await makeSite();
  const { id } = await makeMember(site.slug, 'editor');
  const { page, complaints } = await openDashboardPage(browser(), { userId: id });
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/sites/${site.slug}`);
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByText(`editor of ${site.slug}`).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

test('the command palette opens, filters and goes to a page by keyboard, and Escape returns the focus', async () => {
  const site = await makeSite();
  const { id } = await makeMember(site.slug, 'viewer');
  const { page, complaints } = await openDashboardPage(browser(), { userId: id });
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('your acc');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
  const opener = page.getByRole('button', { name: 'Search' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Search');
  expect(complaints).toEqual([]);
});

test('a chosen theme stays over a reload', async () => {
  const { id } = await makeMember((await makeSite()).slug, 'viewer');
  const { page } = await openDashboardPage(browser(), { userId: id, path: '/account' });
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
  await page.getByRole('radio', { name: 'Dark' }).click();
  expect(await ground()).toBe('dark');
  await page.reload();
  await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor();
  expect(await ground()).toBe('dark');
});

test('a path without a page says so and leads back', async () => {
  const site = await makeSite();
  const { id } = await makeMember(site.slug, 'viewer');
  const { page } = await openDashboardPage(browser(), { userId: id, path: `/sites/${site.slug}/nothing` });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Back to your sites' }).click();
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
});

test.each(appearances)('list of sites and account have no serious problem of accessibility: %j', async (appearance) => {
  const [one, other] = [await makeSite(), await makeSite()];
  const user = await makeMember(one.slug, 'editor');
  await user.setRole(other.slug, 'viewer');
  const { page } = await openDashboardPage(browser(), { userId: user.id, ...appearance });
  await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor();
  expect(await page.getByRole('main').getByRole('link').count()).toBe(2);
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
  await page.goto(`${dashboardOrigin}/dashboard/account`);
  await page.getByText('This session').waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
});
