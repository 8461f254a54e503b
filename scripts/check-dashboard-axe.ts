// `npm run test:dashboard:axe`: visits every page of the dashboard with axe, in both themes and two widths, on an
// installation of its own: a site with data and one without. Opens the dialogs of each page. Exits with 1 if axe
// finds something serious or critical, if a page is wider than the window, if the console has an error or a message of
// the Content-Security-Policy, or if a page could not be checked; the other pages are checked all the same.
// `-- content` visits only the paths with this text.

import type { Browser, Page } from 'playwright-core';
import { findAxeProblems, overflowsSideways } from '../test/harness/axe.ts';
import { type Records, writeRecords } from '../test/harness/dashboard-records.ts';
import { freshPorts, startInstallation } from '../test/harness/installation.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';

/** The text that visited paths have. */
const wanted = process.argv[2] ?? '';
const appearances = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1280].map((width) => ({ colorScheme, width })),
);
/** The disclosures and dialogs that are opened on each page. */
const openedPerPage = 4;
/** How long a page or an element is waited for. */
const waitMs = 60_000;

/** What this program reads of a view (services/dashboard/app/views.ts). Its type there needs the settings for JSX. */
interface View {
  name: string;
  pages: readonly { path: string }[];
}
const views = new URL('../services/dashboard/app/views.ts', import.meta.url).href;
const { siteViews, mainViews }: Record<'siteViews' | 'mainViews', readonly View[]> = await import(views);

/** Returns the paths of all views. Throws for a page with parameters for which no record is known. */
function listPaths(filled: string, empty: string, records: Records): string[] {
  const withRecord = (name: string, path: string): string => {
    if (!path.includes('$')) return path === '/' ? '' : path;
    const record = records[`${name}${path}`];
    if (!record) throw new Error(`test/harness/dashboard-records.ts has no record for the page ${name}${path}.`);
    return record;
  };
  const pathsOf = (base: string, { name, pages }: View): string[] =>
    pages.map(({ path }) => `${base}${name && `/${name}`}${withRecord(name, path)}`);
  return [
    '/',
    '/account',
    ...mainViews.flatMap((view) => pathsOf('', view)),
    ...siteViews.flatMap((view) => pathsOf(`/sites/${filled}`, view)),
    // without data, only the page of the list exists
    ...siteViews.map(({ name }) => `/sites/${empty}${name && `/${name}`}`),
  ];
}

/**
 * Waits in the page until the colours are those of the theme: changes of theme are animated, axe reads colours, and an
 * animation may begin a frame after the change that causes it. Only two frames without one are settled.
 */
const settled = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const running = () => document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect.getComputedTiming().endTime) && animation.playState === 'running');
  for (let still = 0; still < 2; still++) {
    await frame();
    await frame();
    if (running().length > 0) still = -1;
    await Promise.allSettled(running().map((animation) => animation.finished));
  }
})()`;

let checks = 0;
let found = 0;
const report = (where: string, problem: string): void => {
  found += 1;
  process.stdout.write(`FOUND ${where}: ${problem}\n`);
};

async function check(page: Page, name: string, chosen = appearances): Promise<void> {
  for (const { colorScheme, width } of chosen) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 860 });
    await page.evaluate(settled);
    checks += 1;
    const where = `${name}, ${colorScheme}, ${width} px`;
    const problems = await findAxeProblems(page);
    if (await overflowsSideways(page)) problems.push('wider than the window');
    for (const problem of problems) report(where, problem);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
}

/** Opens a page in a context of its own whose console is reported, with the path at which the message came. */
async function openPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(waitMs);
  const where = () => new URL(page.url()).pathname;
  page.on('pageerror', (error) => report(where(), error.message));
  page.on('console', (message) => {
    // the browser reports every 4xx; some are expected, such as the session of a stranger and records that do not exist
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) report(where(), message.text());
  });
  return page;
}

/** Opens a path and checks its page, then what its first buttons open. A page that cannot be checked is a finding. */
async function visit(page: Page, url: string, name: string): Promise<void> {
  try {
    // the hash alone would not load the page again
    await page.goto('about:blank');
    await page.goto(url);
    await checkPage(page, name);
  } catch (error) {
    report(name, `could not be checked: ${(error as Error).message}`);
  }
  process.stdout.write(`${name}\n`);
}

/** Checks a page, and then what its first buttons open, one after the other. */
async function checkPage(page: Page, name: string): Promise<void> {
  await page.locator('h1, .problem, .empty-state').first().waitFor();
  await page.locator('.pending').first().waitFor({ state: 'detached' });
  await check(page, name);
  for (let opened = 0, skipped = 0; opened < openedPerPage; opened++) {
    const button = page.locator('main [aria-expanded="false"]:enabled').nth(skipped);
    if ((await button.count()) === 0) return;
    const text = (await button.getAttribute('aria-label')) ?? (await button.textContent());
    await button.click();
    await page.waitForTimeout(300);
    await check(page, `${name}, "${text}" open`, appearances.slice(1, 3));
    // what opens above the page closes and leaves its button as it was; what opens within the page stays open
    if ((await page.locator('[role="dialog"], [role="listbox"], [role="menu"]').count()) === 0) continue;
    await page.keyboard.press('Escape');
    skipped += 1;
  }
}

async function checkSignedOut(browser: Browser, origin: string): Promise<void> {
  const page = await openPage(browser);
  for (const path of ['', '/link#unknown', '/key-request', '/connect-agent'])
    await visit(page, `${origin}/dashboard${path}`, `signed out: ${path || '/'}`);
}

const ports = await freshPorts();
const installation = await startInstallation(ports, { FIELDSTONE_RATE_LIMIT_DASHBOARD: '0' }, ['--demo']);
const browser = await launchChromium();
try {
  const records = await writeRecords(installation);
  const { link } = await installation.run('users', 'link', '--no-mail');
  const { origin } = new URL(link);
  await checkSignedOut(browser, origin);
  const page = await openPage(browser);
  await visit(page, link, 'link');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Your account' }).first().waitFor({ state: 'attached' });
  const paths = [...listPaths('demo', 'empty', records), '/key-request', '/connect-agent', '/nowhere'];
  for (const path of paths.filter((each) => each.includes(wanted)))
    await visit(page, `${origin}/dashboard${path}`, path);
  await page.goto(`${origin}/dashboard/account`);
  await page.locator('h1').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').waitFor();
  await check(page, 'command palette');
} finally {
  await browser.close();
  await installation.destroy();
}
process.stdout.write(`${checks} checks, ${found} findings\n`);
process.exitCode = found === 0 ? 0 : 1;
