import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { makeSite, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { appearances, findAxeProblems, openDashboardPage, overflowsSideways } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

const openSettings = async (site: TestSite, role: 'owner' | 'viewer', path = '', options: object = {}) =>
  openDashboardPage(browser(), {
    userId: (await makeMember(site.slug, role)).id,
    path: `/sites/${site.slug}/settings${path}`,
    ...options,
  });

const readSite = async (site: TestSite) => (await site.request('GET', '')).data;
const makeHost = () => `www-${randomUUID()}.example.com`;

test('by mouse: an owner changes the name, the texts and the menu; an undone change is gone', async () => {
  const site = await makeSite({ settings: { tagline: { de: 'Hallo' }, own: 'kept' } });
  const { page, complaints } = await openSettings(site, 'owner');
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  await section('The site').getByLabel('Name').fill('Renamed');
  await section('The site').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Pages show it').first().waitFor();
  expect((await readSite(site)).name).toBe('Renamed');
  await section('Home page and look').getByLabel('Footer').fill('At the end');
  await section('Home page and look').getByText('Tarn').click();
  await section('Home page and look').getByRole('button', { name: 'Save' }).click();
  await section('Menu').getByRole('button', { name: 'Add an entry' }).click();
  await section('Menu').getByLabel('Label of entry 1').fill('About');
  await section('Menu').getByLabel('Link of entry 1').fill('/about/');
  await section('Menu').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Pages show it').nth(2).waitFor();
  const nav = [{ label: 'About', url: '/about/' }];
  const saved = { tagline: { de: 'Hallo' }, own: 'kept', footer: 'At the end', accent: 'tarn', nav };
  expect((await readSite(site)).settings).toEqual(saved);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await section('Menu').getByText('The menu is built automatically.').waitFor();
  const { nav: _nav, ...without } = saved;
  expect((await readSite(site)).settings).toEqual(without);
  expect(complaints).toEqual([]);
});

test('a change that another user made meanwhile is not overwritten without asking', async () => {
  const site = await makeSite();
  const { page } = await openSettings(site, 'owner');
  await page.getByLabel('Name').fill('Mine');
  await site.request('PATCH', '', { name: 'Theirs', settings: { own: true } });
  await page.getByRole('region', { name: 'The site' }).getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name').inputValue()).toBe('Theirs');
  await site.request('PATCH', '', { name: 'Theirs again' });
  await page.getByLabel('Name').fill('Mine');
  await page.getByRole('region', { name: 'The site' }).getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Save mine' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await readSite(site)).toMatchObject({ name: 'Mine', settings: { own: true } });
});

test('after Save mine, fields that were not edited show the stored values, and edited ones keep their text', async () => {
  const site = await makeSite({ settings: { footer: 'before' } });
  const { page } = await openSettings(site, 'owner');
  await page.getByLabel('Tagline').fill('Not saved');
  await page.getByLabel('Name').fill('Mine');
  await site.request('PATCH', '', { settings: { footer: 'Theirs', own: 1 } });
  await page.getByRole('region', { name: 'The site' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save mine' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  const values = async () =>
    Promise.all(['Name', 'Footer', 'Tagline'].map((label) => page.getByLabel(label, { exact: true }).inputValue()));
  expect(await values()).toEqual(['Mine', 'Theirs', 'Not saved']);
  expect(await page.getByLabel('Settings as JSON').inputValue()).toContain('"own": 1');
});

test('Undo changes only what was saved: the focus and unsaved text stay', async () => {
  const site = await makeSite();
  const { name } = await readSite(site);
  const { page } = await openSettings(site, 'owner');
  await page.getByLabel('Name').fill('Renamed');
  await page.getByRole('region', { name: 'The site' }).getByRole('button', { name: 'Save' }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  const footer = page.getByLabel('Footer');
  await footer.fill('Not saved');
  await undo.press('Enter');
  await footer.focus();
  await page.locator(`input[value=${JSON.stringify(name)}]`).waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('footer');
  expect(await footer.inputValue()).toBe('Not saved');
});

test('unsaved settings are not left without asking; saved ones are', async () => {
  const site = await makeSite();
  const { page } = await openSettings(site, 'owner');
  const domains = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Domains' });
  await page.getByLabel('Name').fill('Renamed');
  await domains.click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'The site' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Pages show it').waitFor();
  await domains.click();
  await page.getByRole('heading', { name: 'No domain yet' }).waitFor();
});

test('by keyboard: a domain is added, an error is at its field, another becomes the main one, and removing is undone', async () => {
  const site = await makeSite();
  const other = await makeSite({ domain: makeHost() });
  const [first, second] = [makeHost(), makeHost()];
  const { page } = await openSettings(site, 'owner', '/domains');
  await page.getByRole('heading', { name: 'No domain yet' }).waitFor();
  const add = async (host: string) => {
    await page.getByRole('button', { name: 'Add a domain' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Host name').waitFor();
    await page.keyboard.type(host);
    await page.keyboard.press('Enter');
  };
  await add((await readSite(other)).domain);
  const dialog = page.getByRole('dialog');
  await dialog.locator('.field-error').filter({ hasText: 'another site' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  for (const host of [first, second]) {
    await add(host);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: host }).getByText('Active').waitFor();
  }
  await page.getByRole('button', { name: `Make main: ${second}` }).press('Enter');
  await page.getByText(`${second} is the main domain.`).waitFor();
  expect(await readSite(site)).toMatchObject({ domain: second, aliases: [first] });
  await page.getByRole('button', { name: `Remove ${second}` }).press('Enter');
  await page.getByText(`${second} is removed.`).waitFor();
  expect(await readSite(site)).toMatchObject({ domain: first, aliases: [] });
  const notice = page.getByRole('region', { name: 'Notifications' }).locator('.toast', { hasText: 'is removed' });
  await notice.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('listitem').filter({ hasText: second }).getByText('Active').waitFor();
  expect(await readSite(site)).toMatchObject({ domain: second, aliases: [first] });
});

test.each(appearances)('a domain without its DNS record shows the record and is checked again: %j', async (look) => {
  const host = makeHost();
  const site = await makeSite({ domain: host });
  const proof = { name: `_fieldstone.${host}`, value: 'fieldstone-site=1', proven_at: null, aliases: [] };
  const { page } = await openSettings(site, 'owner', '', look);
  // the stack of the tests requires no proof
  await page.route(`**/dashboard/api/v1/sites/${site.slug}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, data: { ...json.data, domain_proof: proof } } });
  });
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Domains' }).click();
  await page.getByText('Waiting for its DNS record').waitFor();
  await page.getByText(`_fieldstone.${host}`).waitFor();
  expect([await findAxeProblems(page), await overflowsSideways(page)]).toEqual([[], false]);
  const checked = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: `Check now: ${host}` }).click();
  expect((await checked).postDataJSON()).toEqual({ domain: host, aliases: [] });
  await page.getByText('It is being checked.').waitFor();
});

test('languages: one is added, becomes the main one, and a removed one comes back with Undo', async () => {
  const site = await makeSite({ default_locale: 'en' });
  const { page } = await openSettings(site, 'owner', '/languages');
  await page.getByRole('button', { name: 'Add a language' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Language code').fill('not a code');
  await dialog.getByRole('button', { name: 'Add a language' }).click();
  await dialog.locator('.field-error').waitFor();
  await dialog.getByLabel('Language code').fill('de');
  await dialog.getByRole('button', { name: 'Add a language' }).click();
  await page.getByRole('button', { name: 'Make main: German' }).click();
  await page.getByText('German is the main language.').waitFor();
  await page.getByRole('button', { name: 'Remove English' }).click();
  await page.getByText('English is removed.').waitFor();
  expect(await readSite(site)).toMatchObject({ default_locale: 'de', locales: ['de'] });
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByRole('button', { name: 'Remove English' }).waitFor();
  expect((await readSite(site)).locales).toEqual(['de', 'en']);
});

test('a site is deleted after its slug was typed', async () => {
  const site = await makeSite();
  const { page } = await openSettings(site, 'owner');
  await page.getByRole('button', { name: 'Delete the site' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Slug of the site').fill('another');
  await dialog.getByRole('button', { name: 'Delete the site' }).click();
  await dialog.locator('.field-error').waitFor();
  await dialog.getByLabel('Slug of the site').fill(site.slug);
  await dialog.getByRole('button', { name: 'Delete the site' }).click();
  await page.getByText('is deleted.').waitFor();
  expect((await site.request('GET', '')).status).toBe(404);
});

test('a viewer sees the settings and changes nothing', async () => {
  const site = await makeSite({ settings: { tagline: 'Seen by all' } });
  for (const [path, text] of [
    ['', 'Seen by all'],
    ['/domains', 'No domain yet'],
    ['/languages', 'English'],
  ] as const) {
    const { page } = await openSettings(site, 'viewer', path);
    await page.getByRole('main').getByText(text).first().waitFor();
    expect([path, await page.getByRole('main').getByRole('button').count()]).toEqual([path, 0]);
  }
});

test.each(appearances)('settings have no serious problem of accessibility: %j', async (appearance) => {
  const settings = { nav: [{ label: 'About', url: '/about/' }], own: { a: 1 } };
  const site = await makeSite({ domain: makeHost(), settings });
  await site.request('POST', '/languages', { locale: 'de' });
  for (const path of ['', '/domains', '/languages']) {
    const { page } = await openSettings(site, 'owner', path, appearance);
    await page.getByRole('main').getByRole('button').first().waitFor();
    expect([path, await findAxeProblems(page), await overflowsSideways(page)]).toEqual([path, [], false]);
  }
});
