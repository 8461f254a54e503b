import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { makeSite, request, stackDatabase } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage } from '../../harness/dashboard-page.ts';
import { makeUser } from '../../harness/people.ts';

const browser = provideChromium();

test('by mouse: a site is backed up, the backup verified, and restored as a new site', async () => {
  const [site, user] = [await makeSite(), await makeUser({ administrator: true })];
  const path = `/sites/${site.slug}/backups`;
  const { page, complaints } = await openDashboardPage(browser(), { userId: user.id, path });
  await page.getByRole('heading', { name: 'No backups yet' }).waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('The site is backed up.').waitFor();
  await page.getByRole('button', { name: /^Verify the backup/ }).click();
  await page.getByText('The backup is complete and can be restored.').waitFor();
  await page.getByRole('button', { name: /^Restore the backup/ }).click();
  const slug = `restored-${randomUUID().slice(0, 8)}`;
  await page.getByRole('dialog').getByLabel('Slug of the new site').fill(slug);
  await page.getByRole('button', { name: 'Restore as a new site' }).click();
  await page.getByText(`The backup is restored as ${slug}.`).waitFor();
  expect((await request('GET', `/sites/${slug}`, { key: site.key })).status).toBe(200);
  expect(complaints).toEqual([]);
});

test('by keyboard: a connected agent is disconnected after a question, and its grant is gone', async () => {
  const user = await makeUser({ administrator: true });
  const db = stackDatabase();
  await db.query(
    `INSERT INTO agent_grants (user_id, client_id, client_name, redirect_uri, resource, scopes, sites, expires_at)
     VALUES ($1, 'client', 'Scribe', 'http://127.0.0.1/callback', 'x', '{content:read}', '{*}', now() + INTERVAL '1 day')`,
    [user.id],
  );
  const { page, complaints } = await openDashboardPage(browser(), { userId: user.id, path: '/agents' });
  const disconnect = page.getByRole('button', { name: 'Disconnect Scribe' });
  await disconnect.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The agent is disconnected.').waitFor();
  await page.getByRole('heading', { name: 'No agent is connected' }).waitFor();
  expect(complaints).toEqual([]);
});

test.each(appearances)('axe finds nothing serious on either view (%o)', async (appearance) => {
  const [site, user] = [await makeSite(), await makeUser({ administrator: true })];
  for (const path of [`/sites/${site.slug}/backups`, '/agents']) {
    const { page } = await openDashboardPage(browser(), { userId: user.id, path, ...appearance });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
  }
});
