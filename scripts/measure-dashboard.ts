// `npm run measure:dashboard`: measures the dashboard in a browser, on an installation of its own with 10,000 items and
// an article of 10,000 words, and writes the figures to the terminal and into docs/performance.md. Exits with 1 if
// something could not be measured, but not if a figure misses its goal.

import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Figure } from '../test/bench/report/figure.ts';
import { writeFigures } from '../test/bench/report/write-figures.ts';
import { freshPorts, startInstallation } from '../test/harness/installation.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';
import { type Filtering, measureFiltering } from './dashboard-measures/filtering.ts';
import { measureFirstView } from './dashboard-measures/first-view.ts';
import { fillSite, itemCount, needleStep, wordCount } from './dashboard-measures/site.ts';
import { measureTyping } from './dashboard-measures/typing.ts';

const rounds = 9;
/** How long one page or element is waited for, in milliseconds. */
const waitMs = 60_000;
const bench = 'dashboard';

const figures: Figure[] = [];

/** Measures several times, and reports the median, the range and the goal. Throws, with the name, if a round fails. */
async function measure(what: string, goalMs: number, measureOnce: (round: number) => Promise<number>): Promise<void> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    try {
      values.push(await measureOnce(round));
    } catch (cause) {
      throw new Error(`Round ${round + 1} of "${what}" could not be measured.`, { cause });
    }
  }
  values.sort((a, b) => a - b);
  const [least, median, most] = [0, (rounds - 1) / 2, rounds - 1].map((index) => Math.round(values[index]!));
  const figure = {
    bench,
    what,
    value: `median ${median} ms of ${rounds} (${least} to ${most})`,
    aim: `< ${goalMs} ms`,
  };
  figures.push(figure);
  process.stdout.write(`${what}: ${figure.value}, aim ${figure.aim}${median! < goalMs ? '' : ', MISSED'}\n`);
}

const filterings = (round: number): readonly Filtering[] => {
  const search = (name: string, text: string, total: RegExp, first: RegExp): Filtering => ({
    name,
    set: async (page) => {
      await page.getByRole('searchbox', { name: 'Search content' }).focus();
      await page.keyboard.insertText(text);
    },
    total,
    first,
  });
  const number = 1_000 + round * needleStep;
  return [
    search('by a title', `Item ${number} `, /^1 item$/, new RegExp(`^Item ${number} `)),
    search(
      'by a word of the text',
      'needle',
      new RegExp(`^${Math.ceil(itemCount / needleStep)} items$`),
      /^Item 9991 /,
    ),
    {
      name: 'by status',
      set: (page) => page.getByLabel('Status', { exact: true }).selectOption('archived'),
      total: /^3,334 items$/,
      first: /^Item 9999 /,
    },
  ];
};

/** Signs a browser context in. */
async function signIn(browser: Browser, link: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Your account' }).first().waitFor({ state: 'attached' });
  await page.close();
  return context;
}

async function measureAll(browser: Browser, link: string, article: string): Promise<void> {
  const signedIn = await signIn(browser, link);
  const site = `${new URL(link).origin}/dashboard/sites/demo`;
  const content = '[data-index="0"] .content-title';
  await measure('start page of a site, cold cache, until interactive', 800, () =>
    measureFirstView(browser, signedIn, site, '.live-url', waitMs),
  );
  await measure(`list of ${itemCount} items, cold cache, until interactive`, 800, () =>
    measureFirstView(browser, signedIn, `${site}/content`, content, waitMs),
  );
  const page = await signedIn.newPage();
  for (const [index, { name }] of filterings(0).entries())
    await measure(`list of ${itemCount} items, filtered ${name}, until painted`, 200, (round) =>
      measureFiltering(page, `${site}/content`, /^1\d,\d{3} items$/, filterings(round)[index]!, waitMs),
    );
  await measure(`typing in an article of ${wordCount} words, INP`, 100, (round) =>
    measureTyping(page, `${site}/content/${article}`, round * 10, waitMs),
  );
}

const installation = await startInstallation(await freshPorts(), { FIELDSTONE_RATE_LIMIT_DASHBOARD: '0' }, ['--demo']);
try {
  const article = await fillSite(installation);
  process.stdout.write(`Load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors\n`);
  const { link } = await installation.run('users', 'link', '--no-mail');
  const browser = await launchChromium();
  try {
    await measureAll(browser, link, article);
  } finally {
    await browser.close();
  }
} finally {
  await installation.destroy();
}
writeFigures(path.join(import.meta.dirname, '..', 'docs', 'performance.md'), [bench], figures);
