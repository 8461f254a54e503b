import { expect } from '@jest/globals';
import { makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const card = {
  type: 'html',
  source_code: '<h2 style="color: rgb(1, 2, 3)">{{ title }}</h2><script>document.title = "ran"</script>',
  css: 'h2 { font-size: 41px }',
  variables_schema: { title: { type: 'string', default: 'Hello' }, wide: { type: 'boolean' } },
};

const openComponents = async (site: TestSite, role: 'editor' | 'viewer', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/components${path}`,
    ...options,
  });

async function makeSiteWithCard(): Promise<TestSite> {
  const site = await makeSite();
  const { status, text } = await site.request('PUT', '/components/card', card);
  if (status !== 201) throw new Error(`The component was not made: ${status} ${text}`);
  return site;
}
const readCard = async (site: TestSite, handle = 'card') => (await site.request('GET', `/components/${handle}`)).data;

test('by mouse: a component is added, its faults are at their lines, and what is saved and deleted is undone', async () => {
  const site = await makeSite();
  const { page } = await openComponents(site, 'editor');
  await page.getByRole('heading', { name: 'No components yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a component' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Handle').fill('Not a handle');
  await dialog.getByRole('button', { name: 'Add a component' }).click();
  await dialog.locator('.field-error').waitFor();
  await dialog.getByLabel('Handle').fill('price');
  await dialog.getByRole('button', { name: 'Add a component' }).click();
  const frame = page.frameLocator('iframe[title="Preview"]');
  await frame.getByText('Hello').waitFor();
  const source = page.getByRole('textbox', { name: 'Source' });
  await source.fill('<p>one</p>\n{% if %}');
  await page.locator('.field-error').filter({ hasText: 'line 2' }).waitFor();
  await page.getByRole('radio', { name: 'Source: faults' }).waitFor();
  await source.fill('<p>{{ text }} again</p>');
  await frame.getByText('Hello again').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Pages show it').waitFor();
  expect((await readCard(site, 'price')).source_code).toBe('<p>{{ text }} again</p>');
  await page.locator('.toast', { hasText: 'Saved.' }).getByRole('button', { name: 'Undo' }).click();
  await frame.getByText(/^Hello$/).waitFor();
  expect((await readCard(site, 'price')).source_code).toBe('<p>{{ text }}</p>\n');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No components yet' }).waitFor();
  await page.locator('.toast', { hasText: 'is deleted' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'price' }).waitFor();
});

test('by keyboard: values from the form show in the preview, whose scripts do not run and whose styles apply', async () => {
  const site = await makeSiteWithCard();
  const { page } = await openComponents(site, 'editor', '/card');
  const frame = page.frameLocator('iframe[title="Preview"]');
  const heading = frame.getByRole('heading', { name: 'Hello' });
  await heading.waitFor();
  expect(await page.locator('iframe[title="Preview"]').getAttribute('sandbox')).toBe('');
  await page.getByLabel('Title').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('<b>Walls</b>');
  const shown = frame.getByRole('heading', { name: '<b>Walls</b>' });
  expect(await page.getByLabel('Title').inputValue()).toBe('<b>Walls</b>');
  await shown.waitFor().catch(async () => {
    throw new Error(`The preview says: ${await page.locator('.component-preview [role="status"]').textContent()}`);
  });
  const style = await shown.evaluate(
    '((element) => [getComputedStyle(element).fontSize, getComputedStyle(element).color])(document.querySelector("h2"))',
  );
  expect(style).toEqual(['41px', 'rgb(1, 2, 3)']);
  await page.getByText('"title":"<b>Walls</b>"').first().waitFor();
  await page.getByRole('radio', { name: 'Variables' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('textbox', { name: 'Variables' }).fill('{ "size": ');
  await page.getByRole('radio', { name: 'Variables: faults' }).waitFor();
  await page.getByRole('textbox', { name: 'Variables' }).fill('{ "size": { "type": "integer" } }');
  await page.getByLabel('Size').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search or run a command' }).waitFor();
  await page.keyboard.type('save the component');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  expect((await readCard(site)).variables_schema).toEqual({ size: { type: 'integer' } });
});

test('Ctrl+K while typing in the code opens the palette, and the code keeps all its text', async () => {
  const site = await makeSiteWithCard();
  const { page } = await openComponents(site, 'editor', '/card');
  const source = page.getByRole('textbox', { name: 'Source' });
  await source.fill('');
  await page.keyboard.type('first line');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search or run a command' }).waitFor();
  await page.keyboard.press('Escape');
  await source.getByText('first line').waitFor();
});

test('a React component is rendered with the values of its form', async () => {
  const site = await makeSite();
  const source_code = 'export default function Sum({ a = 1 }) {\n  return <p>{a + 40}</p>;\n}\n';
  const body = { type: 'react', source_code, variables_schema: { a: { type: 'integer', default: 1 } } };
  await site.request('PUT', '/components/sum', body);
  const { page } = await openComponents(site, 'editor', '/sum');
  const frame = page.frameLocator('iframe[title="Preview"]');
  await frame.getByText('41').waitFor();
  await page.getByLabel('A', { exact: true }).fill('2');
  await frame.getByText('42').waitFor();
});

test('a change by another user is not overwritten without asking, and unsaved changes are not left without asking', async () => {
  const site = await makeSiteWithCard();
  const { page } = await openComponents(site, 'editor', '/card');
  const source = page.getByRole('textbox', { name: 'Source' });
  await source.fill('<p>mine</p>');
  await site.request('PUT', '/components/card', { ...card, source_code: '<p>theirs</p>' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  await page.getByRole('textbox', { name: 'Source' }).getByText('<p>theirs</p>').waitFor();
  await source.fill('<p>mine</p>');
  await page.getByRole('link', { name: 'Components' }).click();
  await dialog.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect((await readCard(site)).source_code).toBe('<p>mine</p>');
});

test('Save mine keeps what another user changed in other members, and Undo brings theirs back', async () => {
  const site = await makeSiteWithCard();
  const { page } = await openComponents(site, 'editor', '/card');
  await page.getByRole('textbox', { name: 'Source' }).fill('<p>mine</p>');
  await site.request('PUT', '/components/card', { ...card, css: 'p { color: red }' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save mine' }).click();
  const notice = page.locator('.toast', { hasText: 'Saved.' });
  await notice.waitFor();
  expect(await readCard(site)).toMatchObject({ source_code: '<p>mine</p>', css: 'p { color: red }' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.frameLocator('iframe[title="Preview"]').getByText('Hello').waitFor();
  expect(await readCard(site)).toMatchObject({ source_code: card.source_code, css: 'p { color: red }' });
});

test('a viewer reads a component and changes nothing', async () => {
  const site = await makeSiteWithCard();
  const { page } = await openComponents(site, 'viewer', '/card');
  await page.getByRole('textbox', { name: 'Source' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  expect(await page.locator('iframe').count()).toBe(0);
});

test.each(appearances)('components have no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSiteWithCard();
  for (const path of ['', '/card']) {
    const { page } = await openComponents(site, 'editor', path, appearance);
    await page.getByRole('button', { name: /^Delete/ }).waitFor();
    if (path !== '') await page.frameLocator('iframe[title="Preview"]').getByText('Hello').waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
