import { expect } from '@jest/globals';
import { makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const src = 'https://stats.example.com/count.js';

const openScripts = async (site: TestSite, role: 'editor' | 'viewer', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/scripts${path}`,
    ...options,
  });

const add = async (site: TestSite, body: object): Promise<string> => {
  const { data, status, text } = await site.request('POST', '/scripts', body);
  if (status !== 201) throw new Error(`The script was not made: ${status} ${text}`);
  return data.id;
};
const scriptsOf = async (site: TestSite) =>
  (await site.request('GET', '/scripts')).data.map(({ name, position, src: url, code }: Record<string, unknown>) => [
    name,
    position,
    url,
    code,
  ]);

test('by mouse: a script with a URL is added and becomes one that is written here; deleting it is undone', async () => {
  const site = await makeSite();
  const { page, complaints } = await openScripts(site, 'editor');
  await page.getByRole('heading', { name: 'No scripts yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a script' }).click();
  await page.getByLabel('Name').fill('Counter');
  await page.getByLabel('URL').fill(src);
  await page.getByRole('button', { name: 'Add a script' }).click();
  await page.getByRole('link', { name: 'Counter' }).click();
  await page.getByRole('radio', { name: 'Written here' }).click();
  await page.getByLabel('Place').selectOption('body_end');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Write the code.').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill('let seen = 1;');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('One line written here').waitFor();
  const changed = ['Counter', 'body_end', null, 'let seen = 1;'];
  expect(await scriptsOf(site)).toEqual([changed]);
  await page.getByRole('button', { name: 'Delete Counter' }).click();
  await page.getByRole('heading', { name: 'No scripts yet' }).waitFor();
  const notice = page.locator('.toast', { hasText: 'Counter is deleted.' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Counter' }).waitFor();
  expect(await scriptsOf(site)).toEqual([changed]);
  expect(complaints).toEqual([]);
});

test('by keyboard: the palette adds a script, and what the service rejects is at its field', async () => {
  const site = await makeSite();
  const { page } = await openScripts(site, 'editor');
  await page.getByRole('button', { name: 'Add a script' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search or run a command' }).waitFor();
  await page.keyboard.type('add a script');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type('Banner');
  await page.getByLabel('URL').focus();
  await page.keyboard.type('http://stats.example.com/count.js');
  await page.keyboard.press('Enter');
  await page.locator('.field-error').filter({ hasText: 'https' }).waitFor();
  await page.getByLabel('URL').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(src);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Banner' }).waitFor();
  expect(await scriptsOf(site)).toEqual([['Banner', 'head', src, null]]);
});

test('an unsaved script is not left without asking', async () => {
  const site = await makeSite();
  const { page } = await openScripts(site, 'editor', '/new');
  await page.getByLabel('Name').fill('Counter');
  await page.getByRole('link', { name: 'Scripts' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Leave the page' }).click();
  await page.getByRole('heading', { name: 'No scripts yet' }).waitFor();
});

test('scripts are listed in the order in which pages run them', async () => {
  const site = await makeSite();
  await add(site, { name: 'Last', position: 'body_end', src });
  await add(site, { name: 'First', src: `${src}?1` });
  await add(site, { name: 'Second', code: 'let a = 1;' });
  const { page } = await openScripts(site, 'editor');
  await page.getByRole('link', { name: 'Second' }).waitFor();
  expect(await page.getByRole('main').getByRole('listitem').getByRole('link').allTextContents()).toEqual([
    'First',
    'Second',
    'Last',
  ]);
});

test('a viewer sees scripts and changes nothing', async () => {
  const site = await makeSite();
  const id = await add(site, { name: 'Counter', code: 'let a = 1;' });
  for (const [path, text] of [
    ['', 'Counter'],
    [`/${id}`, 'let a = 1;'],
  ] as const) {
    const { page } = await openScripts(site, 'viewer', path);
    await page.getByRole('main').getByText(text).first().waitFor();
    expect([path, await page.getByRole('main').getByRole('button').count()]).toEqual([path, 0]);
  }
});

test.each(appearances)('scripts have no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSite();
  const id = await add(site, { name: 'Counter', code: `let a = ${'1 + '.repeat(60)} 1;` });
  for (const path of ['', `/${id}`]) {
    const { page } = await openScripts(site, 'editor', path, appearance);
    await page.getByRole('button', { name: /^Delete/ }).waitFor();
    if (path !== '') await page.getByRole('textbox', { name: 'Code' }).waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
