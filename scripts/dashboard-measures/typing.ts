import type { Page } from 'playwright-core';
import { sentence } from './site.ts';

/** Time between keys: that of a fast typist. */
const keyMs = 60;
/** Longer than the pause after which the editor saves the draft, so that a save falls into each round. */
const pauseMs = 1_500;
/** The browser reports events from this duration on, in steps of 8 ms. */
const thresholdMs = 16;

const observe = `(() => {
  globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  }).observe({ type: 'event', durationThreshold: ${thresholdMs} });
})()`;

/**
 * Types into the paragraph at an index of the article, with a pause, a new paragraph and letters that are deleted.
 * Returns the INP in milliseconds as web.dev/inp defines it: the longest interaction of Event Timing, without one for
 * every 50 interactions; at most the threshold if the browser reported none.
 */
export async function measureTyping(page: Page, url: string, paragraph: number, timeout: number): Promise<number> {
  await page.goto(url, { timeout });
  const body = page.getByRole('textbox', { name: 'Text', exact: true });
  await body.locator('p').nth(paragraph).click({ timeout });
  await page.waitForLoadState('networkidle', { timeout });
  await page.evaluate(observe);
  const text = sentence(paragraph, 10);
  await page.keyboard.type(text, { delay: keyMs });
  await page.waitForTimeout(pauseMs);
  await page.keyboard.press('Enter');
  await page.keyboard.type(text, { delay: keyMs });
  for (let deleted = 0; deleted < 5; deleted++) await page.keyboard.press('Backspace', { delay: keyMs });
  await page.getByText('Changes saved as a pending draft').waitFor({ timeout });
  // entries are reported after the frame that they end with
  await page.waitForTimeout(pauseMs);
  const reported = await page.evaluate<number[]>('[...interactions.values()]');
  const typed = 2 * text.length + 6;
  return reported.sort((a, b) => b - a)[Math.floor(typed / 50)] ?? thresholdMs;
}
