import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeSite, publish, type TestSite } from '../../harness/api.ts';
import { provideChromium, testInChromium as test } from '../../harness/chromium.ts';
import { makeLink, tokenOf } from '../../harness/dashboard.ts';
import { dashboardOrigin } from '../../harness/dashboard-page.ts';
import { makeMember } from '../../harness/people.ts';

const browser = provideChromium();

/** More Tab stops than any page of the journey has. */
const maxStops = 80;
const titles = { published: 'Two cairns', scheduled: 'A later post' };

/** Opens the link that signs an owner of a new site in, without a session. */
async function openLink(): Promise<{ site: TestSite; page: Page; complaints: string[] }> {
  const site = await makeSite();
  await publish(site);
  const { id } = await makeMember(site.slug, 'owner');
  const context = await browser().newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // a stranger has no session: the page asks for it once
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
  });
  await page.goto(`${dashboardOrigin}/dashboard/link#${tokenOf(await makeLink(id, 'sign_in'))}`);
  return { site, page, complaints };
}

async function expectPublished(site: TestSite, page: Page): Promise<string> {
  const live = page.getByRole('status').filter({ hasText: 'The page is live:' });
  await live.waitFor({ timeout: 120_000 });
  const url = (await live.getByRole('link').getAttribute('href'))!;
  expect((await fetch(url)).status).toBe(200);
  const { data } = await site.request('GET', '/content');
  const [item] = data.filter(({ title }: { title: string }) => title === titles.published);
  expect(item).toMatchObject({ status: 'published', body_html: expect.stringContaining('<strong>stones</strong>') });
  return url;
}

async function expectScheduled(site: TestSite, page: Page): Promise<void> {
  await page.getByText('Scheduled for Dec 24, 2099').waitFor();
  const { data } = await site.request('GET', '/content');
  const [item] = data.filter(({ title }: { title: string }) => title === titles.scheduled);
  expect(item).toMatchObject({ status: 'scheduled', scheduled_at: '2099-12-24T09:30:00Z' });
}

async function expectRolledBack(page: Page, url: string): Promise<void> {
  await page.getByText('The earlier release is live again.').waitFor();
  expect((await fetch(url)).status).toBe(404);
}

const hasFocus = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();

/** Moves with Tab, or another key, until an element with this name has the focus. Returns how often the key was pressed. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<number> {
  const nameOfFocus = `(() => {
    const { activeElement: element } = document;
    return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  })()`;
  for (let pressed = 1; pressed <= maxStops; pressed++) {
    await page.keyboard.press(key);
    if (String(await page.evaluate(nameOfFocus)).startsWith(name)) return pressed;
  }
  throw new Error(`${key} does not lead to ${name}.`);
}

/** Runs a command of the palette. */
async function runCommand(page: Page, text: string, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type(text);
  await page.locator(`[role="menuitem"][data-focused]`, { hasText: name }).waitFor();
  await page.keyboard.press('Enter');
}

async function writeByKeyboard(page: Page, title: string, text: string): Promise<void> {
  await runCommand(page, 'write', 'Write a post');
  await hasFocus(page, '[role="dialog"] input');
  await page.keyboard.type(title);
  await page.keyboard.press('Enter');
  await hasFocus(page, '[contenteditable]');
  await page.keyboard.type(text);
}

test('by keyboard alone: a user signs in with the link, writes and publishes a post, schedules another, and rolls back', async () => {
  const { site, page, complaints } = await openLink();
  await hasFocus(page, 'button');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();

  await writeByKeyboard(page, titles.published, '## A ridge\nSome **stones** there.');
  await runCommand(page, 'publ', 'Publish');
  const url = await expectPublished(site, page);

  await writeByKeyboard(page, titles.scheduled, 'Not yet.');
  expect(await tabTo(page, 'Publish at')).toBeLessThan(5);
  await page.keyboard.type('12242099');
  await page.keyboard.press('Tab'); // years may have six digits
  await page.keyboard.type('0930AM');
  expect(await tabTo(page, 'Schedule', 'Shift+Tab')).toBeLessThan(15);
  await page.keyboard.press('Enter');
  await expectScheduled(site, page);

  await runCommand(page, 'overv', 'Overview');
  await hasFocus(page, 'main');
  await page.getByRole('button', { name: 'Make live: the release of' }).first().waitFor();
  expect(await tabTo(page, 'Make live: the release of')).toBeLessThan(10);
  await page.keyboard.press('Enter');
  await expectRolledBack(page, url);
  expect(complaints).toEqual([]);
});

test('by mouse: a user signs in with the link, writes and publishes a post, schedules another, and rolls back', async () => {
  const { site, page, complaints } = await openLink();
  const write = async (title: string, text: string) => {
    await page.getByRole('dialog').getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).click();
    await page.keyboard.type(text);
  };
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Write a post' }).click();
  await write(titles.published, 'Some **stones** there.');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const url = await expectPublished(site, page);

  await page.getByRole('link', { name: 'Content', exact: true }).first().click();
  await page.getByRole('button', { name: 'New item' }).click();
  await write(titles.scheduled, 'Not yet.');
  await page.getByLabel('Publish at').fill('2099-12-24T09:30');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expectScheduled(site, page);

  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: /^Make live: the release of/ }).click();
  await expectRolledBack(page, url);
  expect(complaints).toEqual([]);
});

test('a link of the navigation moves the focus to the content, and Escape closes the palette at once', async () => {
  const { site, page } = await openLink();
  await hasFocus(page, 'button');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Site ${site.slug}`, level: 1 }).waitFor();
  await tabTo(page, 'Media');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
  await hasFocus(page, 'main');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.type('over');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').waitFor({ state: 'detached' });
});
