import { expect } from '@jest/globals';
import { makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { openDashboardPage } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

async function openItem(site: TestSite, members: object = {}) {
  const { data } = await site.request('POST', '/content', { title: 'Cairns', body_html: '<p>One.</p>', ...members });
  const user = await makeMember(site.slug, 'editor');
  const path = `/sites/${site.slug}/content/${data.id}`;
  const { page } = await openDashboardPage(browser(), { userId: user.id, path });
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
  const read = async () => (await site.request('GET', `/content/${data.id}`)).data;
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    return read();
  };
  return { page, id: data.id as string, read, save };
}

test('the fields of a type are a form made from its schema, and what the service refuses is told', async () => {
  const site = await makeSite();
  await site.request('PUT', '/types/recipe', {
    name: 'Recipe',
    fields_schema: {
      type: 'object',
      properties: {
        minutes: { type: 'integer', minimum: 1 },
        kitchen_tools: { type: 'array', items: { type: 'string' } },
      },
    },
  });
  const { page, save } = await openItem(site, { type: 'recipe' });
  await page.getByLabel('Minutes').fill('-5');
  await page.getByText(/Not saved\. .*minutes/).waitFor();
  await page.getByLabel('Minutes').fill('25');
  await page.getByLabel('Kitchen tools').fill('pan\nspoon');
  expect((await save()).fields).toEqual({ minutes: 25, kitchen_tools: ['pan', 'spoon'] });
});

test('an item is scheduled for a time in a chosen zone', async () => {
  const site = await makeSite();
  const { page, read } = await openItem(site);
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByLabel('Publish at').fill('2090-01-02T09:30');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText(/^Scheduled for/).waitFor();
  expect(await read()).toMatchObject({ status: 'scheduled', scheduled_at: '2090-01-02T00:30:00Z' });
});

test('search result and social card show what is typed', async () => {
  const { page, save } = await openItem(await makeSite());
  await page.getByRole('button', { name: 'Search and sharing' }).click();
  await page.getByLabel('Title for search results').fill('How to read a cairn');
  await page.getByLabel('Description for search results').fill('Stones that mark a way.');
  for (const name of ['Search result', 'Social card'])
    await page.getByRole('figure', { name }).getByText('How to read a cairn').waitFor();
  expect(await save()).toMatchObject({ seo_title: 'How to read a cairn', seo_description: 'Stones that mark a way.' });
});

test('a translation is created from an item, and written beside it', async () => {
  const site = await makeSite();
  await site.request('POST', '/languages', { locale: 'de' });
  const { page, id } = await openItem(site);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Show the original beside' }).click();
  await page.getByRole('region', { name: 'Original (en)' }).getByText('One.').waitFor();
  await page.getByRole('textbox', { name: 'Title' }).fill('Steinmänner');
  await page.getByText('Changes saved as a pending draft').waitFor();
  const { data } = await site.request('GET', '/content?locale=de');
  expect(data[0]).toMatchObject({ translation_of: id, body_html: '<p>One.</p>' });
});

test('the preview shows the item with its pending draft, in a new window', async () => {
  const site = await makeSite();
  await site.request('POST', '/publish');
  const { page, read } = await openItem(site);
  await page.getByRole('textbox', { name: 'Title' }).fill('Only in the draft');
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = await opened;
  await preview.getByText('Only in the draft').first().waitFor({ timeout: 120_000 });
  expect(await read()).toMatchObject({ title: 'Cairns', status: 'draft' });
});

test('the fact check lists claims with their verdicts, and links that do not work', async () => {
  const body_html = '<p>The ridge is 1,200 metres high and 12 km long. In 2019, 45% of 200 walkers came by train.</p>';
  const { page } = await openItem(await makeSite(), { body_html });
  await page.getByRole('button', { name: 'Fact check' }).click();
  await page.getByRole('button', { name: 'Check facts' }).click();
  await page.getByText('Cannot be verified').first().waitFor({ timeout: 120_000 });
});

test('what the sanitizer removed is listed beside the text', async () => {
  const { page } = await openItem(await makeSite(), { body_html: '<p style="color:red">One</p>' });
  await page.getByRole('button', { name: 'Warnings (1)' }).waitFor();
  await page.getByText('Removed the inline style from <p>').waitFor();
});
