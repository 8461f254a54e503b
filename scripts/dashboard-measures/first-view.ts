import type { Browser, BrowserContext } from 'playwright-core';

/** The main thread must be without a task of more than 50 ms for this long; the quiet time itself does not count. */
const quietMs = 500;

/** Collects, from before the page's first script, when the content is painted and when long tasks end. */
const observe = (content: string) => `
  globalThis.measured = { painted: 0, busyUntil: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      measured.busyUntil = Math.max(measured.busyUntil, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (!document.querySelector(${JSON.stringify(content)}) || document.querySelector('.pending'))
      return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { measured.painted = performance.now(); }));
  };
  look();`;

/** Resolves in the page to the time at which it became interactive. Not waitForFunction, which the CSP forbids. */
const interactive = (timeout: number) => `new Promise((resolve, reject) => {
  const look = () => {
    const at = Math.max(measured.painted, measured.busyUntil);
    if (measured.painted && performance.now() - at > ${quietMs}) return resolve(at);
    if (performance.now() > ${timeout}) return reject(new Error('The view is not interactive after ${timeout} ms.'));
    setTimeout(look, 50);
  };
  look();
})`;

/**
 * Measures, in a new browser context with the session of `signedIn` and therefore with an empty cache, from the start
 * of the navigation until the view is interactive: `content` (a selector) is painted, nothing of the page is pending,
 * and the main thread stays quiet from then on. Returns milliseconds.
 */
export async function measureFirstView(
  browser: Browser,
  signedIn: BrowserContext,
  url: string,
  content: string,
  timeout: number,
): Promise<number> {
  const context = await browser.newContext({
    storageState: await signedIn.storageState(),
    viewport: { width: 1280, height: 860 },
  });
  try {
    const page = await context.newPage();
    await page.addInitScript(observe(content));
    await page.goto(url, { timeout });
    return await page.evaluate<number>(interactive(timeout));
  } finally {
    await context.close();
  }
}
