import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually, makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { jpeg, upload, waitUntilProcessed } from '../../harness/media.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

async function makeItem(site: TestSite, members: object = {}): Promise<string> {
  return (await site.request('POST', '/content', { title: 'Cairns', body_html: '<p>One.</p>', ...members })).data.id;
}

async function openItem(site: TestSite, id: string, { role = 'editor', ...options }: Record<string, unknown> = {}) {
  const user = await makeMember(site.slug, role as 'editor' | 'author' | 'viewer');
  const path = `/sites/${site.slug}/content/${id}`;
  const { page } = await openDashboardPage(browser(), { userId: user.id, path, ...options });
  const body = page.getByRole('textbox', { name: 'Text', exact: true });
  await body.waitFor();
  return { page, body, user };
}

async function makeImage(site: TestSite, alt: string): Promise<string> {
  const { data } = await upload(site, await jpeg(400, 300), { fields: { alt } });
  await waitUntilProcessed(site, data.id);
  return data.id;
}

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All changes saved').waitFor();
};

test('by keyboard: the main image is chosen from the library, shown with its text around its focal point, and removed', async () => {
  const site = await makeSite();
  const image = await makeImage(site, 'A cairn');
  await makeImage(site, 'A ridge');
  await site.request('PATCH', `/media/${image}`, { focal_point: { x: 0.25, y: 0.75 } });
  const id = await makeItem(site);
  const { page } = await openItem(site, id);
  await page.getByRole('button', { name: 'Choose from the library' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'A cairn' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  const shown = page.getByRole('complementary').getByRole('img', { name: 'A cairn' });
  await shown.waitFor();
  expect(await shown.getAttribute('style')).toContain('25% 75%');
  await save(page);
  expect((await site.request('GET', `/content/${id}`)).data.featured_media_id).toBe(image);
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await page.getByText('Changes saved as a pending draft').waitFor();
  await save(page);
  expect((await site.request('GET', `/content/${id}`)).data.featured_media_id).toBeNull();
});

test('by mouse: the main image is uploaded after its alternative text is asked for', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  const { page } = await openItem(site, id);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload an image' }).click();
  await (await chooser).setFiles([{ name: 'cairn.jpg', mimeType: 'image/jpeg', buffer: await jpeg(64, 48) }]);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Alternative text').fill('A cairn at dawn');
  await dialog.getByRole('button', { name: 'Upload and use', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('A cairn at dawn').first().waitFor();
  await save(page);
  const { data } = await site.request('GET', `/content/${id}`);
  expect((await site.request('GET', `/media/${data.featured_media_id}`)).data).toMatchObject({
    filename: 'cairn.jpg',
    alt: 'A cairn at dawn',
  });
});

/** Drops or pastes a file as a browser does. */
async function transfer(body: Locator, kind: 'drop' | 'paste', file: Buffer): Promise<void> {
  await body.evaluate(
    (element: unknown, { kind: type, base64 }: { kind: string; base64: string }) => {
      // biome-ignore lint/suspicious/noExplicitAny: the types of browsers are not those of the tests
      const page = globalThis as any;
      const bytes = Uint8Array.from(page.atob(base64), (char: string) => char.charCodeAt(0));
      const data = new page.DataTransfer();
      data.items.add(new page.File([bytes], 'dropped.jpg', { type: 'image/jpeg' }));
      const target = element as {
        dispatchEvent(event: unknown): void;
        getBoundingClientRect(): Record<string, number>;
      };
      const { left = 0, top = 0 } = target.getBoundingClientRect();
      const at = { clientX: left + 20, clientY: top + 20, bubbles: true, cancelable: true };
      target.dispatchEvent(
        type === 'drop'
          ? new page.DragEvent('drop', { dataTransfer: data, ...at })
          : new page.ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    { kind, base64: file.toString('base64') },
  );
}

test.each(['drop', 'paste'] as const)(
  'a %s of an image file asks for its alternative text, uploads it and shows it in the text',
  async (kind) => {
    const site = await makeSite();
    const id = await makeItem(site);
    const { page, body } = await openItem(site, id);
    await body.click();
    await transfer(body, kind, await jpeg(64, 48));
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Upload and insert', exact: true });
    expect(await submit.isDisabled()).toBe(true);
    expect((await site.request('GET', '/media')).data).toEqual([]);
    await dialog.getByLabel('Alternative text').fill('A cairn');
    await submit.click();
    await body.getByRole('img', { name: 'A cairn' }).waitFor();
    await page.getByText('Changes saved as a pending draft').waitFor();
    await save(page);
    const [image] = (await site.request('GET', '/media')).data;
    expect(image).toMatchObject({ filename: 'dropped.jpg', alt: 'A cairn' });
    expect((await site.request('GET', `/content/${id}`)).data.body_html).toContain(
      `<img src="media:${image.id}" alt="A cairn">`,
    );
  },
);

test('an author sees an item of another user read-only, with the reason, and writes their own without publishing it', async () => {
  const site = await makeSite();
  const { page, body, user } = await openItem(site, await makeItem(site), { role: 'author' });
  await page.getByText('You can read this item, but not change it.').waitFor();
  await page.getByText('allows changes only to a content item that the user created').waitFor();
  expect(await body.getAttribute('contenteditable')).toBe('false');
  expect(await page.getByLabel('Slug').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /^(Save|Publish|Discard changes)$/ }).count()).toBe(0);
  expect(await findAxeProblems(page)).toEqual([]);
  const key = await user.makeKey();
  const { data } = await site.request('POST', '/content', { title: 'My own', body_html: '<p>Mine.</p>' }, { key });
  await page.goto(page.url().replace(/[^/]+$/, data.id));
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Mine, changed');
  await page.getByText('Changes saved as a pending draft').waitFor();
  await save(page);
  expect((await site.request('GET', `/content/${data.id}`)).data.title).toBe('Mine, changed');
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
  expect(await page.getByLabel('Status').locator('option').allTextContents()).toEqual(['Draft', 'Archived']);
});

test('a viewer cannot change an item; one whose publish fails is told why, with a way to the overview', async () => {
  const site = await makeSite();
  const id = await makeItem(site);
  const viewer = await openItem(site, id, { role: 'viewer' });
  await viewer.page.getByText('You can read this item, but not change it.').waitFor();
  await site.request('PUT', '/shell/file/post.twig', undefined, { raw: '{{ page.title|missing_filter }}' });
  const { page } = await openItem(site, id);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const status = page.getByRole('status').filter({ hasText: 'The site was not published.' });
  await status.waitFor({ timeout: 120_000 });
  await status.getByRole('link', { name: 'To the overview' }).click();
  await eventually('the overview is shown', async () => page.url().endsWith(`/sites/${site.slug}`));
});

test.each(appearances)('choosing a main image has no serious problem of accessibility: %j', async (appearance) => {
  const site = await makeSite();
  const image = await makeImage(site, 'A cairn');
  const { page } = await openItem(site, await makeItem(site, { featured_media_id: image }), appearance);
  await page.getByRole('complementary').getByRole('img', { name: 'A cairn' }).waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
  await page.getByRole('button', { name: 'Choose from the library' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'A cairn' }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
});
