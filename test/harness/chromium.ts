import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { closeStack } from './api.ts';
import { findChromium, launchChromium } from './launch-chromium.ts';
import { testWith } from './programs.ts';

export { launchChromium } from './launch-chromium.ts';

/** `test` for tests that need a Chromium; skips them without one. */
export const testInChromium = testWith('chromium', findChromium() !== undefined);

/**
 * Starts a Chromium before the tests of a file; closes it and the connections to the stack after them. Returns a
 * function that returns it to the tests.
 */
export function provideChromium(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await closeStack();
  });
  return () => browser!;
}
