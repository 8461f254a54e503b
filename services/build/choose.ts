import type { BaseRelease } from './base-release.ts';
import { ContentFault } from './model.ts';
import type { PagePlan } from './pages.ts';
import type { PlannedPage } from './render/protocol.ts';
import { findStale, type Reason } from './trace.ts';
import { renderVersion } from './version.ts';

/** Selects each page's template. Throws a ContentFault if the shell has none of a page's templates. */
export function assignTemplates(
  plans: readonly PagePlan[],
  templates: Readonly<Record<string, unknown>>,
): PlannedPage[] {
  return plans.map((plan) => {
    if (plan.kind === 'feed') return { plan, template: '' };
    const template = plan.templates.find((name) => Object.hasOwn(templates, name));
    if (!template)
      throw new ContentFault(`The shell has no ${plan.templates.join(' or ')}, which the page ${plan.path} needs.`);
    return { plan, template };
  });
}

export interface Choice {
  /** Pages to reuse, each with the release that has it. */
  kept: Map<string, BaseRelease>;
  /** Pages to render, and why. */
  stale: { page: PlannedPage; reason: Reason }[];
}

/** Decides for each page whether one of the earlier releases can supply it unchanged (design: idea 4). */
export function choosePages(
  pages: readonly PlannedPage[],
  bases: readonly BaseRelease[],
  readValue: (key: string) => string,
): Choice {
  const kept: Choice['kept'] = new Map();
  let open: Choice['stale'] = pages.map((page) => ({ page, reason: { kind: 'new' } }));
  bases.forEach((base, n) => {
    const reasons = findStale(
      base.trace,
      renderVersion,
      open.map(({ page }) => page.plan.path),
      readValue,
    );
    open = open.filter((entry) => {
      const reason = reasons.get(entry.page.plan.path)!;
      if (reason === null) kept.set(entry.page.plan.path, base);
      // the first base is the release to be replaced: report how the page differs from that one
      else if (n === 0) entry.reason = reason;
      return reason !== null;
    });
  });
  return { kept, stale: open };
}
