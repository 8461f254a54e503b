import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, makeSite, stackDatabase, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { jpeg, upload, waitUntilProcessed } from '../../harness/media.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const openMedia = async (site: TestSite, role: 'editor' | 'viewer' = 'editor', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/media${path}`,
    ...options,
  });

async function makeImage(site: TestSite): Promise<string> {
  const { data } = await upload(site, await jpeg(400, 300), { fields: { alt: 'A cairn' } });
  await waitUntilProcessed(site, data.id);
  return data.id;
}

const items = (page: Page) => page.getByRole('list', { name: 'Media' }).getByRole('listitem');

test('by mouse: several files are uploaded with their alternative texts, and one is moved to the trash and back', async () => {
  const site = await makeSite();
  const { page, complaints } = await openMedia(site);
  await page.getByRole('heading', { name: 'No media yet' }).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles([
    { name: 'cairn.jpg', mimeType: 'image/jpeg', buffer: await jpeg(400, 300) },
    { name: 'line.jpg', mimeType: 'image/jpeg', buffer: await jpeg(64, 48) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
  ]);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Upload 3 files' }).click();
  await dialog.getByText('Describe each image').waitFor();
  await dialog.getByLabel('Alternative text').first().fill('A cairn on a ridge');
  await dialog.getByText('Decorative').last().click();
  await dialog.getByRole('button', { name: 'Upload 3 files' }).click();
  await eventually('three files are in the library', async () => (await items(page).count()) === 3);
  await page.getByRole('radio', { name: 'Files' }).click();
  await items(page).filter({ hasText: 'notes.txt' }).waitFor();
  await eventually('one file is listed', async () => (await items(page).count()) === 1);
  const { data } = await site.request('GET', '/media?kind=image');
  const described = data.map(({ filename, alt, decorative }: Record<string, unknown>) => [filename, alt || decorative]);
  expect(described.sort()).toEqual([
    ['cairn.jpg', 'A cairn on a ridge'],
    ['line.jpg', true],
  ]);
  await items(page).first().getByRole('link').click();
  await page.getByRole('heading', { name: 'notes.txt', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Move to the trash' }).click();
  await page.getByText('notes.txt is in the trash.').waitFor();
  await page.getByRole('radio', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore notes.txt' }).click();
  await page.getByText('The trash is empty.').waitFor();
  expect(complaints).toEqual([]);
});

test('by keyboard: an image gets a description and a focal point', async () => {
  const site = await makeSite();
  const id = await makeImage(site);
  const { page, complaints } = await openMedia(site, 'editor', `/${id}`);
  await page.getByRole('button', { name: 'Focal point: arrow keys move it' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await page.getByText('55 % from the left, 45 % from the top').waitFor();
  await page.getByRole('button', { name: 'Save the focal point' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The focal point is saved.').waitFor();
  await page.getByLabel('Alternative text').fill('A cairn at dawn');
  await page.keyboard.press('Enter');
  await page.getByText('The description is saved.').waitFor();
  const { data } = await site.request('GET', `/media/${id}`);
  expect([data.alt, data.focal_point]).toEqual(['A cairn at dawn', { x: 0.55, y: 0.45 }]);
  expect(complaints).toEqual([]);
});

test('an item is deleted permanently from the trash after a question; a viewer changes nothing', async () => {
  const site = await makeSite();
  const id = await makeImage(site);
  const viewer = await openMedia(site, 'viewer', `/${id}`);
  await viewer.page.getByRole('list', { name: 'Variants' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: /trash|Save/ }).count()).toBe(0);
  await site.request('DELETE', `/media/${id}`);
  const { page } = await openMedia(site);
  await page.getByRole('radio', { name: 'Trash' }).click();
  await page.getByRole('button', { name: /^Delete permanently:/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('The trash is empty.').waitFor();
  expect((await site.request('GET', `/media/${id}`)).status).toBe(404);
});

/** Creates images without alternative text. */
async function makeUndescribed(site: TestSite, titles: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, title] of titles.entries()) {
    const { data } = await upload(site, await jpeg(400 + index, 300), { fields: { alt: title } });
    await waitUntilProcessed(site, data.id);
    ids.push(data.id);
  }
  await stackDatabase().query('UPDATE media SET alt_stand_in = true WHERE id = ANY($1::UUID[])', [ids]);
  return ids;
}

test('by keyboard: the queue shows one image after the other, and Enter saves its description', async () => {
  const site = await makeSite();
  const [first, second, third] = await makeUndescribed(site, ['First', 'Second', 'Third']);
  const { page, complaints } = await openMedia(site);
  await page.getByRole('radio', { name: 'To describe' }).press('Space');
  await page.getByText('3 images lack a description.').waitFor();
  const field = page.getByLabel('Alternative text');
  await eventually('the text of the newest is selected', async () => (await field.inputValue()) === 'Third');
  await page.keyboard.type('A cairn at dawn');
  await page.keyboard.press('Enter');
  await page.getByText('2 images lack a description.').waitFor();
  await eventually('the next one is shown', async () => (await field.inputValue()) === 'Second');
  await page.getByRole('button', { name: 'Skip' }).press('Enter');
  await eventually('the one after it is shown', async () => (await field.inputValue()) === 'First');
  await page.getByRole('checkbox', { name: 'Decorative' }).press('Space');
  await page.getByRole('button', { name: 'Save and next' }).press('Enter');
  await page.getByRole('heading', { name: 'You skipped the rest' }).waitFor();
  await page.getByRole('button', { name: 'Start over' }).press('Enter');
  await page.getByRole('button', { name: 'Save and next' }).press('Enter');
  await page.getByRole('heading', { name: 'Every image has a description' }).waitFor();
  const read = async (id: string | undefined) => (await site.request('GET', `/media/${id}`)).data;
  expect([await read(first), await read(second), await read(third)]).toMatchObject([
    { decorative: true },
    { alt: 'Second' },
    { alt: 'A cairn at dawn' },
  ]);
  expect(complaints).toEqual([]);
});

test('by mouse: the file of an item is replaced, and the earlier one is brought back', async () => {
  const site = await makeSite();
  const id = await makeImage(site);
  await site.request('POST', '/content', { title: 'On cairns', body_html: `<img src="media:${id}">` });
  const { page, complaints } = await openMedia(site, 'editor', `/${id}`);
  await page.getByRole('list', { name: 'Items that use it' }).getByRole('link', { name: 'On cairns' }).waitFor();
  const replaceWith = async (name: string, width: number) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Replace the file' }).click();
    await (await chooser).setFiles([{ name, mimeType: 'image/jpeg', buffer: await jpeg(width, 300) }]);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };
  await replaceWith('second.jpg', 410);
  await page.getByText('second.jpg replaces the file.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'photo.jpg', level: 1 }).waitFor();
  await replaceWith('third.jpg', 420);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('heading', { name: 'photo.jpg', level: 1 }).waitFor();
  expect((await site.request('GET', `/media/${id}`)).data).toMatchObject({ alt: 'A cairn', width: 400 });
  expect(complaints).toEqual([]);
  await page.getByRole('link', { name: 'On cairns' }).click();
  await page.getByRole('heading', { name: 'On cairns', level: 1 }).waitFor();
});

test.each(appearances)('media have no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSite();
  const id = await makeImage(site);
  for (const path of ['', `/${id}`]) {
    const { page } = await openMedia(site, 'editor', path, appearance);
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
  await makeUndescribed(site, ['A title']);
  const { page } = await openMedia(site, 'editor', '', appearance);
  await page.getByRole('radio', { name: 'To describe' }).click();
  await page.getByText('1 image lacks a description.').waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
});
