import { expect } from '@jest/globals';
import { makeSite, request } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { makeSignedIn, password, signInByLink } from '../../harness/dashboard.ts';
import { dashboardOrigin, openDashboardPage } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

/** The files and calls that the browser requested although the page does not name them. */
const requestedLate = `performance.getEntriesByType('resource')
  .filter(({ initiatorType, name }) => initiatorType === 'fetch' || /\\.(?:js|css|woff2)$/.test(name))
  .map(({ name }) => name.slice(location.origin.length))
  .filter((name) => !document.querySelector('link[href="' + name + '"], script[src="' + name + '"]'))`;

test.each([
  ['the overview of a site', '', 'Changes'],
  ['the list of content', '/content', 'An item of the list'],
])('the page of %s names everything that its first view loads', async (_, path, text) => {
  const { slug, key } = await makeSite();
  const { id } = await makeMember(slug, 'editor');
  await request('POST', `/sites/${slug}/content`, { key, body: { title: 'An item of the list' } });
  const { page, complaints } = await openDashboardPage(browser(), { userId: id, path: `/sites/${slug}${path}` });
  await page.getByText(text).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(requestedLate)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a person who signs in on a page that a browser with an ended session opened sees their own reads', async () => {
  const { slug } = await makeSite();
  const { user } = await makeSignedIn(await makeMember(slug, 'editor'));
  const context = await browser().newContext();
  const { cookie } = await signInByLink(user.id);
  await context.addCookies([{ name: cookie.split('=')[0]!, value: 'ended', url: `${dashboardOrigin}/dashboard` }]);
  const page = await context.newPage();
  await page.goto(`${dashboardOrigin}/dashboard/sites/${slug}`);
  expect(await page.locator('link[as="fetch"]').count()).toBeGreaterThan(2);
  await page.getByLabel('E-mail address').fill(user.email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Site ${slug}`, level: 1 }).waitFor();
  await page.getByText('Nothing is live yet').first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
