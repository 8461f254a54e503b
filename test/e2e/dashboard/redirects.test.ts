import { expect } from '@jest/globals';
import { makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const openRedirects = async (site: TestSite, role: 'editor' | 'viewer', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/redirects`,
    ...options,
  });

const add = async (site: TestSite, from: string, to: string) =>
  (await site.request('POST', '/redirects', { from, to })).data;
const rulesOf = async (site: TestSite) =>
  (await site.request('GET', '/redirects')).data.map(({ from, to, status }: Record<string, unknown>) => [
    from,
    to,
    status,
  ]);

test('by mouse: a redirect is added, errors are at their fields, it is edited, deleted and brought back', async () => {
  const site = await makeSite();
  await add(site, '/a/', '/b/');
  const { page } = await openRedirects(site, 'editor');
  await page.getByRole('button', { name: 'Add a redirect' }).click();
  const dialog = page.getByRole('dialog');
  const fill = async (from: string, to: string) => {
    await dialog.getByLabel('From').fill(from);
    await dialog.getByLabel('To', { exact: true }).fill(to);
    await dialog.getByRole('button', { name: 'Add a redirect' }).click();
  };
  await fill('/b/', '/a/');
  await dialog.locator('.field-error').filter({ hasText: 'a loop' }).waitFor();
  await fill('/a', '/c/');
  await dialog.locator('.field-error').filter({ hasText: 'already a redirect' }).waitFor();
  await dialog.getByLabel('Kind').selectOption('302');
  await fill('/old/', '/new/');
  await dialog.waitFor({ state: 'detached' });
  expect(await rulesOf(site)).toEqual([
    ['/old/', '/new/', 302],
    ['/a/', '/b/', 301],
  ]);
  await page.getByRole('button', { name: 'Edit the redirect from /old/' }).click();
  await dialog.getByLabel('To', { exact: true }).fill('https://example.com/new');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('https://example.com/new').waitFor();
  await page.getByRole('button', { name: 'Delete the redirect from /old/' }).click();
  await page.getByText('The redirect from /old/ is deleted.').waitFor();
  expect(await rulesOf(site)).toEqual([['/a/', '/b/', 301]]);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByRole('button', { name: 'Edit the redirect from /old/' }).waitFor();
  expect(await rulesOf(site)).toEqual([
    ['/old/', 'https://example.com/new', 302],
    ['/a/', '/b/', 301],
  ]);
});

test('by keyboard: a redirect is added from the palette and found by a part of its target', async () => {
  const site = await makeSite();
  await add(site, '/other/', '/elsewhere/');
  const { page, complaints } = await openRedirects(site, 'editor');
  await page.getByRole('button', { name: 'Add a redirect' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search or run a command' }).waitFor();
  await page.keyboard.type('add a redirect');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('From').waitFor();
  await page.keyboard.type('/old/');
  await page.keyboard.press('Tab');
  await page.keyboard.type('/Walls/');
  await page.keyboard.press('Enter');
  await page.getByText('/old/ is redirected').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  await page.keyboard.type('wall');
  await page.getByText('One redirect').waitFor();
  await page.keyboard.type('zzz');
  await page.getByText('No redirect matches.').waitFor();
  expect(complaints).toEqual([]);
});

test('a viewer sees redirects and changes nothing', async () => {
  const site = await makeSite();
  const { page: empty } = await openRedirects(site, 'viewer');
  await empty.getByRole('heading', { name: 'No redirects yet' }).waitFor();
  await add(site, '/old/', '/new/');
  const { page } = await openRedirects(site, 'viewer');
  await page.getByText('/old/').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});

test.each(appearances)('redirects have no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSite();
  await add(site, `/${'long-path-'.repeat(20)}/`, `https://example.com/${'x'.repeat(120)}`);
  const { page } = await openRedirects(site, 'editor', appearance);
  await page.getByRole('button', { name: /^Delete the redirect/ }).waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
});
