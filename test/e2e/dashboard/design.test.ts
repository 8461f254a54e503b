import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { makeSignedIn, password } from '../../harness/dashboard.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const openDesign = async (site: TestSite, role: 'editor' | 'viewer' = 'editor', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/design${path}`,
    width: 1600,
    ...options,
  });

const putFile = (site: TestSite, path: string, text: string) =>
  site.request('PUT', `/shell/file/${path}`, undefined, { raw: Buffer.from(text) });
const readFile = async (site: TestSite, path: string): Promise<string | undefined> =>
  (await site.request('GET', `/shell/file/${path}`)).text;
const editor = (page: Page, path: string) => page.getByRole('textbox', { name: path, exact: true });
const row = (page: Page, name: string) => page.getByRole('treegrid').getByRole('row', { name, exact: true });
const framed = (page: Page) => page.frameLocator('iframe:not([data-waiting])');

/** Replaces the whole text of the editor that is shown. */
async function type(page: Page, path: string, text: string): Promise<void> {
  await editor(page, path).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

async function makeThemedSite(): Promise<TestSite> {
  const site = await makeSite();
  await site.request('POST', '/content', { title: 'A cairn on the ridge', status: 'published' });
  await putFile(site, 'home.twig', '<body><h1>Stored words</h1></body>');
  return site;
}

test('by mouse: what is typed shows in the preview before it is saved, with the line of an error, and is then saved', async () => {
  const site = await makeThemedSite();
  const { page, complaints } = await openDesign(site);
  await framed(page).getByRole('heading', { name: 'Stored words' }).waitFor();
  await type(page, 'home.twig', '<body><h1>Unsaved words</h1></body>');
  await framed(page).getByRole('heading', { name: 'Unsaved words' }).waitFor();
  expect(await readFile(site, 'home.twig')).toContain('Stored words');
  await type(page, 'home.twig', '<body>\n<h1>{% if %}</h1></body>');
  await page
    .getByRole('alert')
    .getByText(/could not be rendered. home\.twig, line 2/)
    .waitFor();
  await page.locator('.cm-lint-marker-error').waitFor();
  await framed(page).getByRole('heading', { name: 'Unsaved words' }).waitFor();
  await type(page, 'home.twig', '<body><h1>Saved words</h1></body>');
  await framed(page).getByRole('heading', { name: 'Saved words' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('home.twig is saved.').waitFor();
  expect(await readFile(site, 'home.twig')).toContain('Saved words');
  await page.getByRole('combobox', { name: 'Page' }).fill('cairn');
  await page.getByRole('option', { name: /A cairn on the ridge/ }).click();
  await framed(page).getByRole('heading', { name: 'A cairn on the ridge' }).first().waitFor();
  // a template that fails is 422, which the console reports
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
});

test('by keyboard: a file is created, completed from the guide, saved, renamed, deleted, and comes back', async () => {
  const site = await makeThemedSite();
  const { page, complaints } = await openDesign(site);
  await row(page, 'home.twig').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.type('New file');
  await page.getByRole('menuitem', { name: 'New file' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Path' }).fill('partials/card.twig');
  await page.keyboard.press('Enter');
  // the focus is in the new file
  await page.locator('.cm-focused').waitFor();
  await page.keyboard.type('{{ pagina');
  await page.getByRole('option', { name: 'pagination' }).waitFor();
  // for the first 75 ms the list ignores Enter, which is then a line break
  await page.waitForTimeout(1_000);
  await page.keyboard.press('Enter');
  await editor(page, 'partials/card.twig').getByText('pagination').waitFor();
  await page.getByText('Not saved', { exact: true }).waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('partials/card.twig is saved.').waitFor();
  expect(await readFile(site, 'partials/card.twig')).toContain('{{ pagination');
  await row(page, 'card.twig').focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Path' }).fill('partials/tile.twig');
  await page.keyboard.press('Enter');
  await row(page, 'tile.twig').waitFor();
  expect((await site.request('GET', '/shell/file/partials/card.twig')).status).toBe(404);
  await row(page, 'tile.twig').focus();
  await page.keyboard.press('Delete');
  const notice = page.getByRole('alertdialog').filter({ hasText: 'partials/tile.twig is deleted.' });
  await notice.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await row(page, 'tile.twig').waitFor();
  expect(await readFile(site, 'partials/tile.twig')).toContain('{{ pagination');
  expect(complaints).toEqual([]);
});

test('by mouse: a file is dragged into a folder, that is undone, and a file of the computer is dropped', async () => {
  const site = await makeThemedSite();
  await putFile(site, 'partials/card.twig', 'A card');
  await putFile(site, 'extra.css', 'b { color: blue }');
  const { page, complaints } = await openDesign(site);
  await row(page, 'extra.css').dragTo(row(page, 'partials'));
  await page.getByText('One file is now in partials/.').waitFor();
  expect(await readFile(site, 'partials/extra.css')).toContain('blue');
  expect((await site.request('GET', '/shell/file/extra.css')).status).toBe(404);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).first().click();
  await eventually('the file is back', async () => (await readFile(site, 'extra.css'))?.includes('blue') ?? false);

  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-drop-'));
  const dropped = path.join(folder, 'dropped.css');
  writeFileSync(dropped, 'p { color: red }');
  const { x, y, width, height } = (await row(page, 'partials').boundingBox())!;
  const drag = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [dropped], dragOperationsMask: 1 };
    await drag.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await page.getByText('One file is uploaded.').waitFor();
  rmSync(folder, { recursive: true });
  expect(await readFile(site, 'partials/dropped.css')).toBe('p { color: red }');
  expect(complaints).toEqual([]);
});

test('by keyboard: the grip of a file moves it into a folder', async () => {
  const site = await makeThemedSite();
  await putFile(site, 'partials/card.twig', 'A card');
  await putFile(site, 'extra.css', 'b { color: blue }');
  const { page, complaints } = await openDesign(site);
  await row(page, 'extra.css').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const target = page.getByRole('treegrid').getByRole('button', { name: 'Drop on partials' });
  await target.waitFor({ state: 'attached' });
  for (
    let pressed = 0;
    pressed < 60 && (await page.locator('[aria-label="Drop on partials"]:focus').count()) === 0;
    pressed++
  )
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('One file is now in partials/.').waitFor();
  expect(await readFile(site, 'partials/extra.css')).toContain('blue');
  expect(complaints).toEqual([]);
});

test('the preview shows the stored shell when nothing is unsaved and no text file is open', async () => {
  const site = await makeThemedSite();
  await putFile(site, 'mark.png', 'not a picture');
  const { page } = await openDesign(site, 'editor', '?file=mark.png');
  await framed(page).getByRole('heading', { name: 'Stored words' }).waitFor();
});

test('a file that another user has saved meanwhile is not overwritten: the page shows both and asks', async () => {
  const site = await makeThemedSite();
  const { page } = await openDesign(site);
  await type(page, 'home.twig', '<body>Mine</body>');
  await putFile(site, 'home.twig', '<body>Theirs</body>');
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('alert', { name: 'Another user has saved this file' });
  await conflict.getByText('Theirs', { exact: true }).waitFor();
  await conflict.getByText('Mine', { exact: true }).waitFor();
  expect(await readFile(site, 'home.twig')).toContain('Theirs');
  await conflict.getByRole('button', { name: 'Save mine' }).click();
  await eventually('mine is stored', async () => (await readFile(site, 'home.twig'))?.includes('Mine') ?? false);
  await type(page, 'home.twig', '<body>Not saved</body>');
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByText('home.twig').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await editor(page, 'home.twig').getByText('Not saved').waitFor();
});

test('a session that expires loses no unsaved text: the user signs in again above the page', async () => {
  const site = await makeThemedSite();
  const { user, client } = await makeSignedIn(await makeMember(site.slug, 'editor'));
  const { page } = await openDashboardPage(browser(), { userId: user.id, path: `/sites/${site.slug}/design` });
  await type(page, 'home.twig', '<body>Still here</body>');
  await client.call('DELETE', '/sessions');
  await page.keyboard.press('Control+s');
  await page.getByText('Your session has ended.').waitFor();
  await page.locator('.signed-in[inert]').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await page.keyboard.type(user.email); // the field has the focus
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' });
  await editor(page, 'home.twig').getByText('Still here').waitFor();
  await editor(page, 'home.twig').click();
  await page.keyboard.press('Control+s');
  await page.getByText('home.twig is saved.').waitFor();
  expect(await readFile(site, 'home.twig')).toContain('Still here');
});

test('a snapshot is taken, compared with the present, restored, and the restoring undone', async () => {
  const site = await makeThemedSite();
  const { page, complaints } = await openDesign(site, 'editor', '/snapshots');
  await page.getByRole('heading', { name: 'No snapshots yet' }).waitFor();
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await page.getByText('The snapshot is taken.').waitFor();
  await putFile(site, 'home.twig', '<body>Later words</body>');
  await page.getByRole('button', { name: 'Compare with the current shell' }).click();
  await page.getByRole('button', { name: 'home.twig' }).click();
  const difference = page.getByRole('textbox', { name: 'home.twig' });
  await difference.getByText('Stored words').waitFor();
  await difference.getByText('Later words').waitFor();
  await page.getByRole('button', { name: /^Restore the snapshot/ }).click();
  await page.getByText('The snapshot is restored.').waitFor();
  expect(await readFile(site, 'home.twig')).toContain('Stored words');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).last().click();
  await eventually('the present is back', async () => (await readFile(site, 'home.twig'))?.includes('Later') ?? false);
  expect(complaints).toEqual([]);
});

test('a viewer reads files and sees the preview, and changes nothing', async () => {
  const site = await makeThemedSite();
  const { page, complaints } = await openDesign(site, 'viewer');
  await editor(page, 'home.twig').getByText('Stored words').waitFor();
  await framed(page).getByRole('heading', { name: 'Stored words' }).waitFor();
  await editor(page, 'home.twig').click();
  await page.keyboard.type('x');
  await page.getByText('Read only').waitFor();
  expect(await editor(page, 'home.twig').textContent()).toBe('<body><h1>Stored words</h1></body>');
  expect(await page.getByRole('button', { name: /^(?:Save|Rename|Delete|New file|Upload files)$/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.each(appearances)('design has no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeThemedSite();
  await site.request('POST', '/shell/snapshot');
  for (const path of ['', '?file=style.css', '/snapshots']) {
    const { page } = await openDesign(site, 'editor', path, appearance);
    await (path === '/snapshots'
      ? page.getByRole('button', { name: 'Compare with the current shell' })
      : page.locator('.cm-line').first()
    ).waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
