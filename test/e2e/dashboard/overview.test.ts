import { expect } from '@jest/globals';
import { makeSite, publish } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';
import { createItem, writeShell } from '../../workflows/helpers.ts';

const browser = provideChromium();

async function openOverview(role: 'editor' | 'viewer' = 'editor') {
  const site = await makeSite();
  const { id } = await makeMember(site.slug, role);
  const open = () => openDashboardPage(browser(), { userId: id, path: `/sites/${site.slug}` });
  return { site, userId: id, open };
}

test('by mouse: changes are listed, a publish empties the list, and undo makes the earlier release live again', async () => {
  const { site, open } = await openOverview();
  const { result } = await publish(site);
  await createItem(site, { title: 'A new post' });
  const { page, complaints } = await open();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('A new post').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published.').waitFor();
  await changes.getByText('Nothing to publish.').waitFor();
  const releases = page.getByRole('region', { name: 'Releases' });
  await releases.getByRole('button', { name: 'What changed with the live release' }).click();
  await releases.getByText('/posts/a-new-post/').waitFor();
  await releases.getByRole('button', { name: 'Why? The reasons for /posts/a-new-post/' }).click();
  await releases.getByText('It is a new page').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The earlier release is live again.').waitFor();
  await changes.getByText('A new post').waitFor();
  const { data } = await site.request('GET', '');
  expect(data.live_release).toBe(result.release);
  expect(complaints).toEqual([]);
});

test('a post is started from the overview, and the list says when a scheduled one is published', async () => {
  const { site, open } = await openOverview();
  await site.request('POST', '/content', { title: 'Later', status: 'scheduled', scheduled_at: '2099-01-02T09:00:00Z' });
  const { page, complaints } = await open();
  await page.getByRole('link', { name: 'Write a post' }).click();
  const dialog = page.getByRole('dialog', { name: 'New item' });
  await dialog.waitFor();
  await page.locator('[role="dialog"] input:focus').waitFor();
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: 'Later' }).getByText('Jan 2').waitFor();
  await page.reload();
  await page.getByRole('grid').waitFor();
  expect(await dialog.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('by keyboard: the palette publishes, and a release is compared and made live', async () => {
  const { site, open } = await openOverview();
  const { result } = await publish(site);
  await createItem(site, { title: 'Typed' });
  const { page, complaints } = await open();
  await page.getByText('One change is waiting to be published.').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('publish this');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Published.').waitFor();
  const earlier = page.getByRole('button', { name: /^Make live: the release of/ });
  await earlier.waitFor();
  await page.getByRole('button', { name: /^Compare the release of/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('If it goes live instead of the present release:').waitFor();
  await page.getByRole('region', { name: 'Releases' }).getByText('/posts/typed/').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Make live');
  await page.keyboard.press('Enter');
  await page.getByText('The earlier release is live again.').waitFor();
  const { data } = await site.request('GET', '');
  expect(data.live_release).toBe(result.release);
  expect(complaints).toEqual([]);
});

test('a publish that fails says which template, line and cause', async () => {
  const { site, open } = await openOverview();
  await writeShell(site, 'home.twig', '<p>\n{{ nothing( }}</p>');
  const { page } = await open();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const jobs = page.getByRole('region', { name: 'Jobs' });
  await jobs.getByText('Publish failed').waitFor();
  const failed = jobs.getByRole('listitem').filter({ hasText: 'Publish failed' });
  await failed.getByText(/home\.twig.*line 2/).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
});

test('a viewer sees changes and jobs, and no button that would be refused', async () => {
  const { site, open } = await openOverview('viewer');
  await publish(site);
  const { page, complaints } = await open();
  await page.getByText('Nothing to publish.').waitFor();
  expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Releases' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.each(appearances)('the overview has no serious problem of accessibility: %j', async (appearance) => {
  const { site, userId } = await openOverview();
  await publish(site);
  await createItem(site, { title: 'Next' });
  await publish(site);
  await createItem(site, { title: 'A change' });
  const { page } = await openDashboardPage(browser(), { userId, path: `/sites/${site.slug}`, ...appearance });
  await page.getByText('A change', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'What changed with the live release' }).click();
  await page.getByText('/posts/next/').waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
});
