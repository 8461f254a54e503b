import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { makeSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';
import { deliver, makeIntegration, send } from '../../harness/webhooks.ts';

const browser = provideChromium();

async function openWebhooks(role: 'owner' | 'viewer' = 'viewer') {
  const site = await makeSite();
  const { id } = await makeMember(site.slug, role);
  const open = (path = '', options: object = {}) =>
    openDashboardPage(browser(), { userId: id, path: `/sites/${site.slug}/webhooks${path}`, ...options });
  return { site, open };
}

test('by mouse: a webhook is created, and deliveries signed with the shown secret are accepted', async () => {
  const { open } = await openWebhooks();
  const { page, complaints } = await open();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const dialog = page.getByRole('dialog');
  const slug = `w-${randomUUID().slice(0, 12)}`;
  await dialog.getByLabel('Name').fill('News desk');
  await dialog.getByLabel('What it receives').selectOption('create_post');
  await dialog.getByLabel('Last part of the URL').fill(slug);
  await dialog.getByRole('button', { name: 'Create a webhook' }).click();
  await dialog.getByText('Enter the URL and this secret').waitFor();
  const secret = (await dialog.getByRole('status').locator('code').textContent())!;
  expect((await send({ slug, secret }, { title: 'Sent', body_html: '<p>x</p>' })).status).toBe(202);
  await dialog.getByRole('button', { name: 'Open the webhook' }).click();
  await page.getByRole('heading', { name: 'News desk', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Show the secret' }).click();
  expect(await page.getByRole('status').locator('code').textContent()).toBe(secret);
  await page.getByRole('button', { name: 'Replace the secret' }).click();
  await page.getByText('The new signing secret.').waitFor();
  expect(await page.getByRole('status').locator('code').textContent()).not.toBe(secret);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('The webhook is disabled').waitFor();
  expect((await send({ slug, secret }, {})).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  await page.getByRole('radio', { name: 'Python' }).click();
  await page.getByText('import hashlib').waitFor();
  expect(complaints).toEqual([]);
});

test('by keyboard: a test is sent, followed to its end and replayed', async () => {
  const { site, open } = await openWebhooks();
  const { id } = await makeIntegration(site, 'create_post', { name: 'Desk' });
  const { page, complaints } = await open(`/${id}`);
  await page.getByRole('button', { name: 'Send the test' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The test is recorded.').waitFor();
  const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first();
  await row.getByText('Live').waitFor();
  await row.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Delivery test-/ }).waitFor();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByText('Signature verified').waitFor();
  await page.getByRole('region', { name: 'Headers' }).getByText('x-delivery-id').waitFor();
  await page.getByRole('region', { name: 'Body' }).first().getByText('Sent from the dashboard.').waitFor();
  await page.getByRole('button', { name: 'Replay', exact: true }).focus();
  await page.keyboard.press('Enter');
  await timeline.getByText('Replay requested').waitFor();
  const { data } = await site.request('GET', '/content?status=draft');
  expect(data.map(({ title }: { title: string }) => title)).toEqual(['A test']);
  expect(complaints).toEqual([]);
});

test('a delivery that went live links its page; a dry run says what a replay would change', async () => {
  const { site, open } = await openWebhooks();
  const integration = await makeIntegration(site, 'create_post', { name: 'Desk' });
  const article = { source_ref: 'tide', body_html: '<p>x</p>' };
  const first = await deliver(integration, { ...article, title: 'First title' });
  await deliver(integration, { ...article, title: 'Second title' });
  const { page, complaints } = await open(`/${integration.id}/${first.id}`);
  await page.getByRole('link', { name: /\/posts\/first-title\/$/ }).waitFor();
  await page.getByRole('button', { name: 'What would a replay change?' }).click();
  await page.getByText('title: Second title → First title').waitFor();
  expect(complaints).toEqual([]);
});

test('deliveries are filtered by status, and a webhook is deleted after a question', async () => {
  const { site, open } = await openWebhooks();
  const integration = await makeIntegration(site, 'create_post', { name: 'Desk' });
  const skipped = await deliver(integration, { body_html: '<p>without title</p>' });
  const { page } = await open(`/${integration.id}`);
  await page.getByText(skipped.delivery_id).waitFor();
  await page.getByLabel('Status').selectOption('failed');
  await page.getByText('No delivery has this status.').waitFor();
  await page.getByLabel('Status').selectOption('skipped');
  await page.getByText(skipped.delivery_id).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the webhook' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  expect((await site.request('GET', '/webhooks')).data).toEqual([]);
});

test.each(appearances)('webhooks have no serious problem of accessibility: %j', async (appearance) => {
  const { site, open } = await openWebhooks();
  const integration = await makeIntegration(site, 'create_post', { name: 'Desk' });
  const { id } = await deliver(integration, { body_html: '<p>without title</p>' });
  for (const path of ['', `/${integration.id}`, `/${integration.id}/${id}`]) {
    const { page } = await open(path, appearance);
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
