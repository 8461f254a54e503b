import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const savedDraft = 'Changes saved as a pending draft';

async function makeItem(site: TestSite, members: object = {}): Promise<string> {
  const { data } = await site.request('POST', '/content', { title: 'Cairns', body_html: '<p>One.</p>', ...members });
  return data.id;
}

const read = async (site: TestSite, id: string) => (await site.request('GET', `/content/${id}`)).data;

/** Opens an item as an editor. */
async function openItem(site: TestSite, id: string, options: object = {}) {
  const user = await makeMember(site.slug, 'editor');
  const opened = await openDashboardPage(browser(), {
    userId: user.id,
    path: `/sites/${site.slug}/content/${id}`,
    ...options,
  });
  await bodyOf(opened.page).waitFor();
  return opened;
}

const bodyOf = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

test('an item is created, written with Markdown shortcuts, saved while it is written, and published, by keyboard alone', async () => {
  const site = await makeSite();
  const { id } = await makeMember(site.slug, 'editor');
  const { page } = await openDashboardPage(browser(), { userId: id, path: `/sites/${site.slug}/content` });
  await page.getByRole('button', { name: 'New item' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('A walk');
  await page.keyboard.press('Enter');
  await page.locator('[contenteditable]:focus').waitFor(); // a new item is ready for writing
  await page.getByRole('textbox', { name: 'Title' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' in the hills');
  await page.keyboard.press('Enter');
  await page.locator('[contenteditable]:focus').waitFor();
  await page.keyboard.type('## Start\nSome **bold** words and `code `.\n- one\n');
  await page.keyboard.press('Tab');
  await page.keyboard.type('two\n\n\n> quoted');
  await page.getByText(savedDraft).waitFor();

  const { data } = await site.request('GET', '/content');
  expect(data[0]).toMatchObject({ title: 'A walk', body_html: '', status: 'draft' });
  await page.getByRole('button', { name: 'Publish', exact: true }).focus();
  await page.keyboard.press('Enter');
  const live = page.getByRole('status').filter({ hasText: 'The page is live:' });
  await live.waitFor({ timeout: 120_000 });
  expect((await fetch((await live.getByRole('link').getAttribute('href'))!)).status).toBe(200);
  const item = await read(site, data[0].id);
  expect(item).toMatchObject({ title: 'A walk in the hills', status: 'published', warnings: [] });
  expect(item.body_html).toBe(
    '<h2>Start</h2>\n<p>Some <strong>bold</strong> words and <code>code </code>.</p>\n<ul><li>one<ul><li>two</li></ul></li></ul>\n<blockquote><p>quoted</p></blockquote>',
  );
  await eventually('the site is live', async () => (await site.request('GET', '')).data.live_release !== null);
});

test('an edit changes only its own block, and what the editor does not know stays as it was', async () => {
  const site = await makeSite();
  const stored =
    '<section class="lead"><p id="a">One.</p></section>\n\n<dl><dt>Cairn</dt><dd>Stones.</dd></dl>\n<p class="x">Two.</p>';
  const id = await makeItem(site, { body_html: stored });
  const { page, complaints } = await openItem(site, id);
  await page.getByText('All changes saved').waitFor();
  await bodyOf(page).getByText('Two.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Three.');
  await page.getByText(savedDraft).waitFor();
  expect((await read(site, id)).body_html).toBe(stored);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All changes saved').waitFor();
  expect((await read(site, id)).body_html).toBe(stored.replace('\n<p class="x">Two.', '\n<p class="x">Two. Three.'));
  expect(complaints).toEqual([]);
});

test('a pending draft is shown again after a reload, can be discarded, and the discarding undone', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  const { page } = await openItem(site, id);
  await page.getByLabel('Excerpt').fill('A short text');
  await page.getByLabel('Tags').fill('paths, stones');
  await page.getByText(savedDraft).waitFor();
  await page.reload();
  await page.getByText(savedDraft).waitFor();
  expect(await page.getByLabel('Excerpt').inputValue()).toBe('A short text');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('All changes saved').waitFor();
  expect(await page.getByLabel('Excerpt').inputValue()).toBe('');
  expect((await site.request('GET', `/content/${id}/draft`)).status).toBe(404);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText(savedDraft).waitFor();
  expect((await site.request('GET', `/content/${id}/draft`)).data.tags).toEqual(['paths', 'stones']);
});

test('what was typed is saved when the page is left at once', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  const { page } = await openItem(site, id);
  await bodyOf(page).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  await page.getByRole('link', { name: 'Content', exact: true }).first().click();
  await page.getByRole('grid').waitFor();
  const draft = () => site.request('GET', `/content/${id}/draft`);
  await eventually('the draft is saved', async () => (await draft()).data?.body_html === '<p>One. More.</p>');
  // what was read when the item was first opened does not hide the draft
  await page.goBack();
  await bodyOf(page).getByText('One. More.').waitFor();
});

test('a page with changes that cannot be saved asks before it is left', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  const { page } = await openItem(site, id);
  await page.route('**/draft', (route) => route.abort());
  await page.getByLabel('Excerpt').fill('A short text');
  const list = page.getByRole('link', { name: 'Content', exact: true }).first();
  await list.click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Excerpt').inputValue()).toBe('A short text');
  await list.click();
  await page.getByRole('button', { name: 'Leave the page' }).click();
  await page.getByRole('grid').waitFor();
});

test('a viewer reads an item and can change nothing', async () => {
  const site = await makeSite();
  const path = `/sites/${site.slug}/content/${await makeItem(site)}`;
  const { id } = await makeMember(site.slug, 'viewer');
  const { page } = await openDashboardPage(browser(), { userId: id, path });
  await page.getByText('One.').waitFor();
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
  expect(await page.getByLabel('Excerpt').isDisabled()).toBe(true);
  expect(await bodyOf(page).getAttribute('contenteditable')).toBe('false');
});

test('a change that another user saved meanwhile is shown beside the edited one, and the user chooses', async () => {
  const site = await makeSite();
  for (const choice of ['Keep mine', 'Take theirs'] as const) {
    const id = await makeItem(site);
    const { page } = await openItem(site, id);
    await page.getByRole('textbox', { name: 'Title' }).fill('Mine');
    await page.getByText(savedDraft).waitFor();
    await site.request('PATCH', `/content/${id}`, { title: 'Theirs', excerpt: 'Also theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Another user has changed this item' }).waitFor();
    await page.getByText('Both of you changed: title.').waitFor();
    await page.getByRole('button', { name: choice }).click();
    await page.getByText('All changes saved').waitFor();
    const expected = choice === 'Keep mine' ? 'Mine' : 'Theirs';
    expect(await read(site, id)).toMatchObject({ title: expected, excerpt: 'Also theirs' });
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(expected);
  }
});

test('a draft that was also saved elsewhere is not overwritten without asking', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  const { page } = await openItem(site, id);
  await page.getByLabel('Excerpt').fill('Mine');
  await page.getByText(savedDraft).waitFor();
  await site.request('PUT', `/content/${id}/draft`, { excerpt: 'Theirs' });
  await page.getByLabel('Author').fill('Ada');
  await page.getByRole('heading', { name: 'These changes were also edited elsewhere' }).waitFor();
  expect((await site.request('GET', `/content/${id}/draft`)).data.excerpt).toBe('Theirs');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await page.getByText(savedDraft).waitFor();
  expect(await page.getByLabel('Excerpt').inputValue()).toBe('Theirs');
});

test('the history shows what changed, restores a revision, and the restore is undone', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  await site.request('PATCH', `/content/${id}`, { body_html: '<p>Two.</p>' });
  const { page } = await openItem(site, id);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Show changes' }).click();
  await page.getByRole('dialog').locator('ins', { hasText: 'Two' }).waitFor();
  await page.getByRole('dialog').locator('del', { hasText: 'One' }).waitFor();
  await page.getByRole('button', { name: 'Restore' }).click();
  await bodyOf(page).getByText('One.').waitFor();
  expect((await read(site, id)).body_html).toBe('<p>One.</p>');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
  await bodyOf(page).getByText('Two.').waitFor();
});

test.each(appearances)('axe finds nothing serious on an item ($colorScheme, $width)', async (appearance) => {
  const site = await makeSite();
  const body = `<h2>Cairns</h2><p>A <a href="/x">link</a> and <code>code</code>.</p><ul><li>one</li></ul><table><tbody><tr><td>a</td></tr></tbody></table><x-component handle="card"></x-component><dl><dt>a</dt></dl><p style="x">b</p>`;
  const { page } = await openItem(site, await makeItem(site, { body_html: body, excerpt: 'A text' }), appearance);
  for (const name of ['Search and sharing', 'Fact check', 'History'])
    await page.getByRole('button', { name, exact: true }).click();
  await page.getByText('Social card').waitFor();
  await page.getByText('Now', { exact: true }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
});
