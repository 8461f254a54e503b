import type { Page } from 'playwright-core';

/** A filter of the list, and what the list must show when it is applied. */
export interface Filtering {
  name: string;
  /** Sets the filter, with one input event. */
  set(page: Page): Promise<unknown>;
  /** What the line with the number of items must say. */
  total: RegExp;
  /** The title of the first row. */
  first: RegExp;
}

/** Starts at the first input event, ends after the frame in which the number and the first row are those expected. */
const observe = (
  { total, first }: Filtering,
  timeout: number,
) => `globalThis.filtered = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('The filtered rows are not shown after ${timeout} ms.')), ${timeout});
  let start = 0;
  document.addEventListener('input', ({ timeStamp }) => { start ||= timeStamp; }, { capture: true });
  const look = () => {
    const text = (selector) => document.querySelector(selector)?.textContent ?? '';
    const isShown = ${total}.test(text('.page-lead')) && ${first}.test(text('[data-index="0"] .content-title'));
    if (!start || !isShown) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  };
  look();
});
undefined;`;

/**
 * Measures from the input event until the filtered rows are painted, on a page that was loaded for this measurement, so
 * that the result is not in the page's memory. Returns milliseconds.
 */
export async function measureFiltering(
  page: Page,
  url: string,
  allItems: RegExp,
  filtering: Filtering,
  timeout: number,
): Promise<number> {
  await page.goto(url, { timeout });
  await page.getByText(allItems).waitFor({ timeout });
  await page.locator('[data-index="0"] .content-title').waitFor({ timeout });
  await page.waitForLoadState('networkidle', { timeout });
  await page.evaluate(observe(filtering, timeout));
  await filtering.set(page);
  return page.evaluate<number>('filtered');
}
