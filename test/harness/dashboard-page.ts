import type { Browser, Page } from 'playwright-core';
import { stack } from './api.ts';
import { signInByLink } from './dashboard.ts';

export { findAxeProblems, overflowsSideways } from './axe.ts';

/** The origin of the gateway whose pages the tests open. */
export const dashboardOrigin = stack.gateways[0]!;

export type ColorScheme = 'light' | 'dark';

interface PageOptions {
  /** The user who is signed in. */
  userId: string;
  /** Below `/dashboard`. */
  path?: string;
  colorScheme?: ColorScheme;
  width?: number;
}

/** A page of the dashboard, with the errors of its console and its content security policy. */
export interface DashboardPage {
  page: Page;
  complaints: string[];
}

/** Opens a page of the dashboard with a session of the user. The browser's `close` ends it. */
export async function openDashboardPage(
  browser: Browser,
  { userId, path = '', colorScheme = 'light', width = 1280 }: PageOptions,
): Promise<DashboardPage> {
  const context = await browser.newContext({ viewport: { width, height: 860 }, colorScheme, reducedMotion: 'reduce' });
  const [name, value] = (await signInByLink(userId)).cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: `${dashboardOrigin}/dashboard` }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${dashboardOrigin}/dashboard${path}`);
  return { page, complaints };
}

/**
 * Themes and widths in which every view is checked: all of them in the long form, a light and a dark one in the short
 * form.
 */
export const appearances: readonly { colorScheme: ColorScheme; width: number }[] =
  process.env['FIELDSTONE_TEST_LONG'] === 'true'
    ? (['light', 'dark'] as const).flatMap((colorScheme) =>
        [390, 768, 1280, 1920].map((width) => ({ colorScheme, width })),
      )
    : [
        { colorScheme: 'light', width: 1280 },
        { colorScheme: 'dark', width: 390 },
      ];
