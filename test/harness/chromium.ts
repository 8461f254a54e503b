import { findChromium } from './launch-chromium.ts';
import { testWith } from './programs.ts';

export { launchChromium } from './launch-chromium.ts';

/** `test` for tests that need a Chromium; skips them without one. */
export const testInChromium = testWith('chromium', findChromium() !== undefined);
