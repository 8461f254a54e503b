// `npm run images:dashboard`: takes screenshots of the dashboard with the demo site, for docs/images.

import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { freshPorts, type Installation, startInstallation } from '../test/harness/installation.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';

const folder = path.join(import.meta.dirname, '..', 'docs', 'images');

interface Image {
  /** The file is `dashboard-{name}.png`. */
  name: string;
  /** Below `/dashboard`. */
  path: string;
  theme: 'light' | 'dark';
  width: number;
  height: number;
  /** The text that shows that the page is complete. */
  ready: string;
  /** Brings the page into the state of the screenshot. */
  prepare?: (page: Page) => Promise<void>;
}

const wide = { theme: 'light', width: 1280, height: 800 } as const;
const narrow = { theme: 'light', width: 390, height: 800 } as const;

const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('menuitem').first().waitFor();
};

const images: readonly Image[] = [
  { ...wide, name: 'overview', path: '/sites/demo', ready: 'changes are waiting' },
  { ...wide, name: 'commands', path: '/sites/demo', theme: 'dark', ready: 'changes are waiting', prepare: openPalette },
  { ...wide, name: 'account', path: '/account', ready: 'This session' },
  { ...narrow, name: 'overview-narrow', path: '/sites/demo', theme: 'dark', ready: 'changes are waiting' },
];

const signInImage: Image = { ...wide, name: 'sign-in', path: '', ready: 'Forgot the password?' };

/** Edits the demo site, so that there is something to publish. */
async function editDemo({ run, request }: Installation): Promise<void> {
  const { key } = await run('keys', 'create', '--name', 'images', '--scopes', 'admin', '--sites', 'demo');
  const { data: items } = await request('GET', '/sites/demo/content?per_page=3', { key });
  await request('PATCH', `/sites/demo/content/${items[0].id}`, { key, body: { excerpt: 'Edited for the picture.' } });
  await request('DELETE', `/sites/demo/content/${items[2].id}`, { key });
  for (const title of ['Reading a wall from both sides', 'Where the stile goes'])
    await request('POST', '/sites/demo/content', { key, body: { title, body_html: '<p>…</p>', status: 'published' } });
  await request('POST', '/sites/demo/publish', { key });
  await request('PATCH', `/sites/demo/content/${items[1].id}`, { key, body: { title: `${items[1].title}, again` } });
  const notes = { title: 'Notes from the north field', body_html: '<p>…</p>', status: 'published' };
  await request('POST', '/sites/demo/content', { key, body: notes });
}

async function photograph(browser: Browser, origin: string, image: Image, signInLink?: string): Promise<void> {
  const { name, theme, width, height, ready, prepare } = image;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  if (signInLink) {
    await page.goto(signInLink);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByText(/^(?:Changes|Jobs)$/)
      .first()
      .waitFor();
  }
  await page.goto(`${origin}/dashboard${image.path}`);
  await page.getByText(ready).first().waitFor();
  await prepare?.(page);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: path.join(folder, `dashboard-${name}.png`) });
  await context.close();
  process.stdout.write(`dashboard-${name}.png\n`);
}

const installation = await startInstallation(await freshPorts(), {}, ['--demo']);
try {
  await editDemo(installation);
  const browser = await launchChromium();
  await photograph(browser, installation.origin, signInImage);
  for (const image of images) {
    const { link } = await installation.run('users', 'link', '--no-mail');
    await photograph(browser, new URL(link).origin, image, link);
  }
  await browser.close();
} finally {
  await installation.destroy();
}
