import { expect } from '@jest/globals';
import { makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const recipe = {
  name: 'Recipe',
  fields_schema: { type: 'object', properties: { minutes: { type: 'integer', minimum: 1 } } },
};

const openTypes = async (site: TestSite, role: 'editor' | 'viewer', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/types${path}`,
    ...options,
  });

const readType = async (site: TestSite) => (await site.request('GET', '/types/recipe')).data;

test('by mouse: a type is added with a field, its form is shown, and deleting it is undone', async () => {
  const site = await makeSite();
  const { page } = await openTypes(site, 'editor');
  await page.getByRole('heading', { name: 'No fields of your own yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a type' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type').fill('Not a type');
  await dialog.getByLabel('Name').fill('Recipe');
  await dialog.getByRole('button', { name: 'Add a type' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Type').fill('recipe');
  await dialog.getByRole('button', { name: 'Add a type' }).click();
  await page.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByLabel('Name in templates').fill('spice_level');
  await dialog.getByLabel('Kind').selectOption('choice');
  await dialog.getByLabel('Values').fill('mild\nhot');
  await dialog.getByText('The list of items can be filtered by it').click();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Spice level').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The fields are saved.').waitFor();
  const properties = { spice_level: { type: 'string', enum: ['mild', 'hot'], 'x-filter': true } };
  expect(await readType(site)).toMatchObject({ name: 'Recipe', fields_schema: { type: 'object', properties } });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No fields of your own yet' }).waitFor();
  await page.locator('.toast', { hasText: 'are deleted' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Recipe' }).waitFor();
  expect((await readType(site)).fields_schema.properties).toEqual(properties);
});

test('by keyboard: a faulty schema is shown at its field, and items that do not fit are named', async () => {
  const site = await makeSite();
  await site.request('PUT', '/types/recipe', recipe);
  await site.request('POST', '/content', { title: 'Bread', type: 'recipe', fields: { minutes: 5 } });
  const { page } = await openTypes(site, 'editor', '/recipe');
  const schema = page.getByRole('textbox', { name: 'Fields as JSON Schema' });
  const save = () => page.getByRole('button', { name: 'Save' }).press('Enter');
  await schema.fill('{ "minutes": { "type": "nothing" } }');
  await save();
  await page.locator('.field-error').filter({ hasText: 'type' }).waitFor();
  await schema.fill('{ "minutes": { "type": "integer", "minimum": 9 } }');
  await save();
  await page.getByRole('alert').filter({ hasText: 'minutes' }).waitFor();
  expect((await readType(site)).fields_schema).toEqual(recipe.fields_schema);
});

test('a viewer reads a type and changes nothing', async () => {
  const site = await makeSite();
  await site.request('PUT', '/types/recipe', recipe);
  const { page } = await openTypes(site, 'viewer', '/recipe');
  await page.getByRole('textbox', { name: 'Fields as JSON Schema' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});

test.each(appearances)('types have no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSite();
  await site.request('PUT', '/types/recipe', recipe);
  for (const path of ['', '/recipe']) {
    const { page } = await openTypes(site, 'editor', path, appearance);
    await page.getByRole('button', { name: /^Delete/ }).waitFor();
    if (path !== '') await page.getByRole('textbox', { name: 'Fields as JSON Schema' }).waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
