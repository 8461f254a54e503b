import type { BaseRelease } from './base-release.ts';
import { ContentFault } from './model.ts';
import type { PagePlan } from './pages.ts';
import type { PlannedPage } from './render/protocol.ts';
import { findStale } from './trace.ts';
import { renderVersion } from './version.ts';
import { createWhyWriter, type Reason, type Why } from './why.ts';

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
  /** Why pages and kept pages differ from the replaced release, where they do. */
  reasons: Map<string, Reason>;
}

/**
 * Decides for each page whether one of the earlier releases can supply it unchanged (design: idea 4). `replaces`: the
 * release that reasons compare with.
 */
export function choosePages(
  pages: readonly PlannedPage[],
  bases: readonly BaseRelease[],
  replaces: string | null,
  readValue: (key: string) => string,
): Choice {
  const kept: Choice['kept'] = new Map();
  const isNew: Reason = { kind: 'new' };
  const reasons = new Map<string, Reason>(pages.map(({ plan }) => [plan.path, isNew]));
  let open = pages;
  for (const base of bases) {
    const paths = open.map(({ plan }) => plan.path);
    const stale = findStale(base.trace, renderVersion, paths, readValue);
    for (const [path, reason] of stale) {
      if (reason === null) kept.set(path, base);
      if (base.id !== replaces) continue;
      if (reason === null) reasons.delete(path);
      else reasons.set(path, reason);
    }
    open = open.filter(({ plan }) => !kept.has(plan.path));
  }
  return { kept, stale: open.map((page) => ({ page, reason: reasons.get(page.plan.path)! })), reasons };
}

/** Whether a page that is kept was rendered by this build all the same, in an earlier pass or before it ran out of time. */
function isOwn(path: string, base: BaseRelease | undefined): boolean {
  if (!base || base.isUnfinished) return true;
  return base.isSameBuild === true && Object.hasOwn(base.trace.why!.rendered, path);
}

/** Why the pages of a release differ from the release that it replaces. */
export function whyOf({ kept, reasons }: Choice): Why {
  const writer = createWhyWriter();
  for (const [path, reason] of reasons) writer.add(path, reason, isOwn(path, kept.get(path)));
  return writer.why;
}
