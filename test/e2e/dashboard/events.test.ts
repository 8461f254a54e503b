import { expect } from '@jest/globals';
import { eventually, makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { startReceiver } from '../../harness/events.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const url = 'https://events.example/hook';

const openEvents = async (site: TestSite, role: 'owner' | 'viewer', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/events${path}`,
    ...options,
  });

async function makeEndpoint(site: TestSite, target = url) {
  const body = { url: target, events: ['site.published'] };
  const { data, status, text } = await site.request('POST', '/event-endpoints', body);
  if (status !== 201) throw new Error(`The endpoint was not made: ${status} ${text}`);
  return data as { id: string; secret: string };
}

test('by mouse: an owner adds an endpoint, changes its events, shows its secret again and deletes it', async () => {
  const site = await makeSite();
  const { page, complaints } = await openEvents(site, 'owner');
  await page.getByRole('heading', { name: 'No event endpoints yet' }).waitFor();
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByText('media.ready').click();
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await dialog.getByText('Check each event with this secret.').waitFor();
  const secret = await dialog.getByRole('status').locator('code').textContent();
  await dialog.getByRole('button', { name: 'Open the endpoint' }).click();
  await page.getByRole('heading', { level: 1, name: 'events.example' }).waitFor();
  await page.getByText('job.failed').click();
  await page.getByRole('button', { name: 'Save the events' }).click();
  await page.getByText('The events are saved.').waitFor();
  const { data } = await site.request('GET', '/event-endpoints');
  expect(data[0].events).toEqual(['site.published', 'job.failed', 'media.ready']);
  await page.getByRole('button', { name: 'Show the secret' }).click();
  expect(await page.getByRole('status').locator('code').textContent()).toBe(secret);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the endpoint' }).click();
  await page.getByRole('heading', { name: 'No event endpoints yet' }).waitFor();
  expect(complaints).toEqual([]);
});

test('by keyboard: a test event is sent, its attempts are shown, and it is sent again', async () => {
  const site = await makeSite();
  const receiver = await startReceiver();
  const { id } = await makeEndpoint(site, receiver.url);
  const { page, complaints } = await openEvents(site, 'owner', `/${id}`);
  await page.getByRole('button', { name: 'Send a test event' }).focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('list', { name: 'Sent events' }).getByRole('listitem').first();
  await row.getByText('endpoint.test').waitFor();
  await row.getByText('Delivered').waitFor();
  await page.getByRole('button', { name: 'Details of endpoint.test' }).focus();
  await page.keyboard.press('Enter');
  await row.getByText('status 204').waitFor();
  await row.getByText('"type": "endpoint.test"').waitFor();
  await page.getByRole('button', { name: 'Send again' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The event is sent again.').waitFor();
  await eventually('the event has arrived twice', async () => receiver.received.length === 2 || undefined);
  await receiver.close();
  expect(complaints).toEqual([]);
});

test('a viewer sees endpoints and changes nothing', async () => {
  const site = await makeSite();
  const { id } = await makeEndpoint(site);
  const { page } = await openEvents(site, 'viewer', `/${id}`);
  await page.getByText('No event yet.').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});

test.each(appearances)('events have no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSite();
  const { id } = await makeEndpoint(site);
  for (const path of ['', `/${id}`]) {
    const { page } = await openEvents(site, 'owner', path, appearance);
    await page.getByText(url).first().waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
