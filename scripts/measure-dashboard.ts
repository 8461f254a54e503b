// `npm run measure:dashboard`: measures the content views in a browser, on an installation of its own: the list of
// 10,000 items when it is filtered, and typing in an article of 10,000 words. Writes the figures to the terminal.

import type { Page } from 'playwright-core';
import { freshPorts, type Installation, startInstallation } from '../test/harness/installation.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';

const itemCount = 10_000;
const wordCount = 10_000;
const rounds = 15;

const words = ['cairn', 'ridge', 'stone', 'path', 'marks', 'the', 'way', 'over', 'and', 'north'];
const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * 3 + (index % 5)) % words.length]).join(' ');

/** Creates the items, and the article; returns the id of the article. */
async function fill({ run, request }: Installation): Promise<string> {
  const { key } = await run('keys', 'create', '--name', 'measure', '--scopes', 'admin', '--sites', 'demo');
  for (let start = 0; start < itemCount; start += 100) {
    const items = Array.from({ length: 100 }, (_, index) => {
      const number = start + index;
      const body_html = `<p>${sentence(number, 60)}${number % 97 === 0 ? ' needle' : ''}</p>`;
      return { title: `Item ${number} ${sentence(number, 4)}`, body_html, tags: number % 3 === 0 ? ['paths'] : [] };
    });
    const { status, text } = await request('POST', '/sites/demo/content/batch', { key, body: { items } });
    if (status !== 200) throw new Error(text);
  }
  const paragraphs = Array.from({ length: wordCount / 100 }, (_, index) => `<p>${sentence(index, 100)}</p>`);
  const article = { title: 'The long article', body_html: paragraphs.join('\n') };
  const { data } = await request('POST', '/sites/demo/content', { key, body: article });
  return data.id;
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const percentile = (values: readonly number[], share: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
const report = (name: string, values: readonly number[]): void => {
  const [median, high, worst] = [percentile(values, 0.5), percentile(values, 0.95), Math.max(...values)];
  process.stdout.write(
    `${name}: median ${median.toFixed(0)} ms, 95th percentile ${high.toFixed(0)} ms, worst ${worst.toFixed(0)} ms (${values.length})\n`,
  );
};

/**
 * Measures in the page from setting a filter until the line with the number of items shows the result, after the next
 * frame.
 */
async function measureFilter(page: Page, label: string, value: string, expected: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const control = document.querySelector('${label}');
    const lead = document.querySelector('.page-lead');
    const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set;
    const start = performance.now();
    const end = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    const observer = new MutationObserver(() => {
      if (!${expected}.test(lead.textContent)) return;
      observer.disconnect();
      end();
    });
    observer.observe(lead, { childList: true, characterData: true, subtree: true });
    set.call(control, ${JSON.stringify(value)});
    control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
  })`);
}

async function measureList(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard/sites/demo/content`);
  await page.getByText(/^1\d,\d{3} items$/).waitFor();
  const all = '/^1\\d,\\d{3} items$/';
  const search: number[] = [];
  const status: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // a text of its own in each round, so that nothing is cached
    search.push(await measureFilter(page, '.filter-search input', `Item ${round * 97} `, '/^1 item$/'));
    await measureFilter(page, '.filter-search input', '', all);
    status.push(
      await measureFilter(page, '.filter-bar select', round % 2 ? 'archived' : 'published', '/^\\d{1,3} items?$/'),
    );
    await measureFilter(page, '.filter-bar select', '', all);
    await page.waitForTimeout(5_500); // longer than lists stay fresh
  }
  report(`list of ${itemCount} items, search`, search);
  report(`list of ${itemCount} items, status`, status);
}

/** Measures the INP of typing: for each key, the time from the event to the next frame (the browser's Event Timing). */
async function measureTyping(page: Page, origin: string, id: string): Promise<void> {
  await page.goto(`${origin}/dashboard/sites/demo/content/${id}`);
  const body = page.getByRole('textbox', { name: 'Text', exact: true });
  await body.locator('p').nth(50).click();
  await page.evaluate(`(() => {
    globalThis.durations = [];
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration, interactionId } of list.getEntries())
        if (interactionId && name === 'keydown') globalThis.durations.push(duration);
    });
    observer.observe({ type: 'event', durationThreshold: 16, buffered: false });
  })()`);
  const text = sentence(3, 60);
  await page.keyboard.type(text, { delay: 60 });
  await page.waitForTimeout(500);
  const slow = await page.evaluate<number[]>('globalThis.durations');
  // events below the threshold of 16 ms are not reported
  report(`typing in ${wordCount} words`, [...slow, ...Array.from({ length: text.length - slow.length }, () => 8)]);
}

const installation = await startInstallation(await freshPorts(), { FIELDSTONE_RATE_LIMIT_DASHBOARD: '0' }, ['--demo']);
try {
  const id = await fill(installation);
  const browser = await launchChromium();
  const { link } = await installation.run('users', 'link', '--no-mail');
  const { origin } = new URL(link);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Your account' }).first().waitFor({ state: 'attached' });
  await measureList(page, origin);
  await measureTyping(page, origin, id);
  await browser.close();
} finally {
  await installation.destroy();
}
