import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** React Aria's announcements stay for seconds, also when the element that labels them is gone. */
const checked = `{ exclude: [['[data-live-announcer]']] }`;

/**
 * While the list of a combo box is open, `useComboBox` of React Aria hides the rest of the page with `aria-hidden`, and not
 * with `inert` as modal overlays do: a click beside the list must reach the page. Tab closes the list, so that the focus
 * cannot get where `aria-hidden-focus` finds it. Only this rule is left out, and only then.
 */
const isComboBoxOpen = `document.querySelector('[role="combobox"][aria-expanded="true"]') !== null`;

/** Returns what axe finds on the page that is serious or critical, a line each. */
export async function findAxeProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const isHiddenOutside = await page.evaluate<boolean>(isComboBoxOpen);
  const violations = (await page.evaluate(`axe.run(${checked}).then(({ violations }) => violations)`)) as Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .filter(({ id }) => !(isHiddenOutside && id === 'aria-hidden-focus'))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}

/** Returns whether the page is wider than the window, so that it must be scrolled sideways. */
export const overflowsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
