import { expect } from '@jest/globals';
import { eventually, makeSite, request, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

/** Creates items, 100 with each request. The first title is that of the newest one, which the list shows first. */
async function makeItems(site: TestSite, titles: readonly string[], members: object = {}): Promise<void> {
  const items = titles.map((title) => ({ title, ...members })).reverse();
  for (let start = 0; start < items.length; start += 100) {
    const body = { items: items.slice(start, start + 100) };
    const { status } = await request('POST', `/sites/${site.slug}/content/batch`, { key: site.key, body });
    expect(status).toBe(200);
  }
}

async function openList(site: TestSite, role: 'editor' | 'viewer' = 'editor', options: object = {}) {
  const { id } = await makeMember(site.slug, role);
  return openDashboardPage(browser(), { userId: id, path: `/sites/${site.slug}/content`, ...options });
}

const list = (site: TestSite, query = '') =>
  request('GET', `/sites/${site.slug}/content?per_page=100${query}`, { key: site.key });

test('the list finds items by text, status and tag, keeps the filters in the URL, and clears them', async () => {
  const site = await makeSite();
  await makeItems(site, ['Cairns of the north', 'Bench notes'], { tags: ['paths'] });
  await makeItems(site, ['Old news'], { status: 'published' });
  const { page, complaints } = await openList(site);
  await page.getByText('3 items').waitFor();
  await page.getByLabel('Search content').fill('cairns');
  await page.getByText('1 item', { exact: true }).waitFor();
  await page.getByRole('row').getByText('Cairns of the north').waitFor();
  expect(page.url()).toContain('q=cairns');
  await page.reload();
  await page.getByText('1 item', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('3 items').waitFor();
  await page.getByLabel('Status').selectOption('published');
  await page.getByText('1 item', { exact: true }).waitFor();
  await page.getByRole('row').getByText('Old news').waitFor();
  await page.getByLabel('Status').selectOption('');
  await page.getByLabel('Tag', { exact: true }).fill('paths');
  await page.getByText('2 items').waitFor();
  await page.getByLabel('Search content').fill('nothing has this');
  await page.getByRole('heading', { name: 'No item matches' }).waitFor();
  expect(complaints).toEqual([]);
});

test('several items are published, tagged, and moved to the trash, and each action is undone', async () => {
  const site = await makeSite();
  await makeItems(site, ['One', 'Two', 'Three']);
  const { page, complaints } = await openList(site);
  const select = async () => {
    for (const title of ['One', 'Two']) await page.getByRole('checkbox', { name: `Select ${title}` }).click();
    await page.getByText('2 items selected').waitFor();
  };
  const bar = page.getByRole('toolbar', { name: 'Selected items' });
  const undo = async () => {
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByText('Undone.').first().waitFor();
  };
  await select();
  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('2 items set to published').waitFor();
  expect((await list(site, '&status=published')).json.pagination.total).toBe(2);
  await undo();
  expect((await list(site, '&status=draft')).json.pagination.total).toBe(3);

  await select();
  await bar.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Tag to add').fill('paths');
  await page.keyboard.press('Enter');
  await page.getByText('Tag added to 2 items.').waitFor();
  expect((await list(site, '&tag=paths')).json.pagination.total).toBe(2);

  await select();
  await bar.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('2 items moved to the trash.').waitFor();
  await page.getByText('1 item', { exact: true }).waitFor();
  await page
    .getByRole('alertdialog')
    .filter({ hasText: 'moved to the trash' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await page.getByText('3 items', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('everything that matches is selected and changed a hundred at a time, undone, and what is refused is listed', async () => {
  const site = await makeSite();
  await makeItems(
    site,
    Array.from({ length: 230 }, (_, index) => `Item ${index}`),
  );
  const { page, complaints } = await openList(site);
  const calls: string[] = [];
  page.on('request', (sent) => {
    if (sent.method() !== 'GET') calls.push(`${sent.method()} ${new URL(sent.url()).pathname}`);
  });
  const bar = page.getByRole('toolbar', { name: 'Selected items' });
  await page.getByRole('checkbox', { name: 'Select Item 0' }).click();
  await bar.getByRole('button', { name: 'Select all 230' }).click();
  await page.getByText('230 items selected').waitFor();
  const gone = (await list(site, '&q=Item%20117')).json.data[0].id;
  await site.request('DELETE', `/content/${gone}`);
  await bar.getByRole('button', { name: 'Add tag' }).press('Enter');
  await page.getByLabel('Tag to add').fill('paths');
  await page.keyboard.press('Enter');
  const refused = page.getByRole('dialog', { name: '1 item could not be changed' });
  await refused.getByText('Item 117').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('Tag added to 229 items.').waitFor();
  expect((await list(site, '&tag=paths')).json.pagination.total).toBe(229);
  expect(calls).toEqual(Array.from({ length: 3 }, () => `POST /dashboard/api/sites/${site.slug}/content/changes`));
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByText('Undone.').waitFor();
  expect((await list(site, '&tag=paths')).json.pagination.total).toBe(0);
  expect(complaints).toEqual([]);
});

test('after an action the focus is in the list, and what is refused is shown on return if the list was left', async () => {
  const site = await makeSite();
  await makeItems(site, ['First', 'Second']);
  const { page } = await openList(site);
  const bar = page.getByRole('toolbar', { name: 'Selected items' });
  await page.getByRole('checkbox', { name: 'Select First' }).click();
  await bar.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
  await bar.waitFor({ state: 'detached' });
  await page.locator('[role="row"]:focus').waitFor();
  await page.getByRole('checkbox', { name: 'Select Second' }).click();
  const gone = (await list(site, '&q=Second')).json.data[0].id;
  await site.request('DELETE', `/content/${gone}`);
  let proceed = () => {};
  const isLeft = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  await page.route('**/content/changes', async (route) => {
    await isLeft;
    await route.continue();
  });
  await bar.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
  await page.getByRole('link', { name: 'Media' }).click();
  await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
  const done = page.waitForResponse('**/content/changes');
  proceed();
  await (await done).finished();
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByRole('dialog', { name: '1 item could not be changed' }).getByText('Second').waitFor();
});

test('the trash shows deleted items and restores them', async () => {
  const site = await makeSite();
  await makeItems(site, ['Gone', 'Here']);
  const { json } = await list(site, '&q=Gone');
  await request('DELETE', `/sites/${site.slug}/content/${json.data[0].id}`, { key: site.key });
  const { page } = await openList(site);
  await page.getByLabel('Status').selectOption('trash');
  await page.getByRole('checkbox', { name: 'Select Gone' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('1 item restored.').waitFor();
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
  expect((await list(site)).json.pagination.total).toBe(2);
});

test('the arrow keys move through a list of which only the rows in view exist; Space selects and Delete trashes', async () => {
  const site = await makeSite();
  await makeItems(
    site,
    Array.from({ length: 450 }, (_, index) => `Item ${String(index + 1).padStart(3, '0')}`),
  );
  const { page, complaints } = await openList(site);
  await page.getByText('450 items').waitFor();
  await page.getByRole('row').nth(1).focus();
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  expect(await focused()).toContain('Item 002');
  await page.keyboard.press('End');
  await page.getByRole('row').getByText('Item 450').waitFor();
  await eventually('the row has the focus', async () => (await focused()).includes('Item 450'));
  expect(await page.getByRole('row').count()).toBeLessThan(80);
  await page.keyboard.press(' ');
  await page.getByText('1 item selected').waitFor();
  await page.keyboard.press('Home');
  await eventually('the row has the focus', async () => (await focused()).includes('Item 001'));
  await page.keyboard.press('Delete');
  await page.getByText('449 items').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a viewer sees the list and can change nothing', async () => {
  const site = await makeSite();
  await makeItems(site, ['One']);
  const { page } = await openList(site, 'viewer');
  await page.getByRole('checkbox', { name: 'Select One' }).click();
  expect(await page.getByRole('button', { name: 'New item' }).count()).toBe(0);
  expect(await page.getByRole('toolbar', { name: 'Selected items' }).count()).toBe(0);
});

test.each(appearances)('axe finds nothing serious on the list ($colorScheme, $width)', async (appearance) => {
  const site = await makeSite();
  await makeItems(site, ['A title that is long enough to need more room than a telephone has', 'Two'], {
    author: 'Ada Moor',
    tags: ['paths'],
  });
  const { page } = await openList(site, 'editor', appearance);
  await page.getByText('2 items').waitFor();
  await page.getByRole('checkbox', { name: 'Select Two' }).click();
  expect(await findAxeProblems(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
});
