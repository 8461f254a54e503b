import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually, makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { openDashboardPage } from '../../harness/dashboard-page.ts';
import { jpeg } from '../../harness/media.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

interface Open {
  site: TestSite;
  id: string;
  page: Page;
  body: Locator;
  /** Saves the item, and returns its body as it is stored. */
  save(): Promise<string>;
  complaints: string[];
}

async function openBody(html: string, site?: TestSite): Promise<Open> {
  const own = site ?? (await makeSite());
  const { data } = await own.request('POST', '/content', { title: 'Cairns', body_html: html });
  const user = await makeMember(own.slug, 'editor');
  const path = `/sites/${own.slug}/content/${data.id}`;
  const { page, complaints } = await openDashboardPage(browser(), { userId: user.id, path });
  const body = page.getByRole('textbox', { name: 'Text', exact: true });
  await body.click();
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    const { data: item } = await own.request('GET', `/content/${data.id}`);
    expect(item.warnings).toEqual([]);
    return item.body_html;
  };
  return { site: own, id: data.id, page, body, save, complaints };
}

/** Pastes as a browser does, with the forms of the clipboard that a program has put there. */
const paste = (body: Locator, html: string) =>
  body.evaluate((element: unknown, text: string) => {
    const data = new (
      globalThis as never as { DataTransfer: new () => { setData(type: string, value: string): void } }
    ).DataTransfer();
    data.setData('text/html', text);
    const Paste = (globalThis as never as { ClipboardEvent: new (type: string, options: object) => unknown })
      .ClipboardEvent;
    (element as { dispatchEvent(event: unknown): void }).dispatchEvent(
      new Paste('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, html);

test('the toolbar is reached with Shift+Tab and used with the arrow keys', async () => {
  const { page, save, complaints } = await openBody('<p>One two</p>');
  await page.keyboard.press('Control+a');
  const bold = page.getByRole('button', { name: 'Bold' });
  await page.getByRole('combobox', { name: 'Paragraph style' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('[aria-pressed="true"][aria-label="Bold"]').waitFor();
  await bold.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  expect(await save()).toBe('<p><strong><em>One two</em></strong></p>');
  expect(complaints).toEqual([]);
});

test('a link is set around the selected text; a URL that the sanitizer would remove is refused', async () => {
  const { page, save } = await openBody('<p>One</p>');
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Link' }).click();
  await page.getByLabel('URL').fill('javascript:alert(1)');
  await page.keyboard.press('Enter');
  await page.getByText('Use http, https, mailto, tel').waitFor();
  await page.getByLabel('URL').fill('example.com/a?b=1&c');
  await page.keyboard.press('Enter');
  expect(await save()).toBe('<p><a href="https://example.com/a?b=1&amp;c">One</a></p>');
});

test('an image is uploaded with its alternative text, shown, and its text edited later', async () => {
  const { site, page, save, complaints } = await openBody('<p>One</p>');
  await page.getByRole('button', { name: 'Image', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'cairn.jpg',
    mimeType: 'image/jpeg',
    buffer: await jpeg(),
  });
  const upload = dialog.getByRole('button', { name: 'Upload and insert' });
  expect(await upload.isDisabled()).toBe(true);
  await dialog.getByLabel('Alternative text').fill('A cairn');
  await upload.click();
  const image = page.getByRole('textbox', { name: 'Text', exact: true }).getByRole('img', { name: 'A cairn' });
  await image.waitFor();
  const isShown = () => image.evaluate((element: unknown) => (element as { naturalWidth: number }).naturalWidth > 0);
  await eventually('the image is shown', isShown, 60_000);
  const { data: library } = await site.request('GET', '/media');
  expect(library[0]).toMatchObject({ alt: 'A cairn', filename: 'cairn.jpg' });
  await image.dblclick();
  await page.getByRole('dialog').getByLabel('Alternative text').fill('A cairn on a ridge');
  await page.keyboard.press('Enter');
  expect(await save()).toContain(`<img src="media:${library[0].id}" alt="A cairn on a ridge">`);
  expect(complaints).toEqual([]);
});

test('a component is inserted with a form made from its schema, and edited', async () => {
  const site = await makeSite();
  const variables_schema = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number' }, currency: { enum: ['EUR', 'USD'] }, is_new: { type: 'boolean' } },
  };
  await site.request('PUT', '/components/price', { type: 'html', source_code: '{{ amount }}', variables_schema });
  const { page, save } = await openBody('<p>One</p>', site);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Component' }).click();
  await page.getByLabel('Amount').fill('12.5');
  await page.getByLabel('Currency').selectOption('"EUR"');
  await page.getByRole('button', { name: 'Insert' }).click();
  await page.getByText('Component price').waitFor();
  await page.getByRole('button', { name: 'Edit: Component price' }).click();
  await page.getByText('Is new').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const vars = JSON.stringify({ amount: 12.5, currency: 'EUR', is_new: true }).replaceAll('"', '&quot;');
  expect(await save()).toContain(`<x-component handle="price" vars="${vars}"></x-component>`);
});

test('a table is made and grows with the Tab key', async () => {
  const { page, save } = await openBody('');
  await page.getByRole('button', { name: 'Table' }).click();
  await page.keyboard.type('Name');
  for (let cell = 1; cell < 9; cell++) await page.keyboard.press('Tab');
  await page.keyboard.type('last');
  await page.keyboard.press('Tab');
  await page.keyboard.type('new');
  const html = await save();
  expect(html).toMatch(/^<table><thead><tr><th>Name<\/th>.*<td>last<\/td><\/tr><tr><td>new<\/td>.*<\/tbody><\/table>$/);
});

test.each([
  [
    'Word',
    `<html xmlns:o="x"><head><style>p.MsoNormal{margin:0}</style></head><body><p class=MsoNormal style='margin:0cm'><b>Bold</b> and <i style='mso-bidi-font-style:normal'>italic</i><o:p></o:p></p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>  </span></span><![endif]>one</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o</span><![endif]>two</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><h2 style='mso-x:y'>Head</h2></body></html>`,
    '<p><strong>Bold</strong> and <em>italic</em></p>\n<ul><li>one<ul><li>two</li></ul></li></ul>\n<h2>Head</h2>',
  ],
  [
    'Google Docs',
    `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:700;color:#000">Head</span></h2><p dir="ltr" style="line-height:1.38"><span style="font-weight:700;font-style:normal">Bold</span><span style="font-style:italic"> italic</span><a href="https://example.com/"><span style="text-decoration:underline">link</span></a></p><ul><li dir="ltr" aria-level="1"><p dir="ltr"><span>one</span></p></li></ul></b>`,
    '<h2>Head</h2>\n<p><strong>Bold</strong><em> italic</em><a href="https://example.com/">link</a></p>\n<ul><li>one</li></ul>',
  ],
  [
    'a hostile page',
    `<p onclick="x()" class="y" data-fs-html=' onclick="x"'>Text<script>x()</script><iframe src="x"></iframe><img src="data:image/png;base64,xx"><a href="javascript:x()">a</a></p><div data-fs-source="<script>x</script>"></div>`,
    '<p>Texta</p>',
  ],
])('text from %s is pasted clean', async (_program, pasted, expected) => {
  const { body, save, complaints } = await openBody('');
  await paste(body, pasted);
  expect(await save()).toBe(expected);
  // the policy of the page also holds for HTML that is only parsed, and the console names what it blocked
  expect(complaints.filter((text) => !text.includes('Content Security Policy'))).toEqual([]);
});
