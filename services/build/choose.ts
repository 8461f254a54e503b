import type { BaseRelease } from './base-release.ts';
import { ContentFault } from './model.ts';
import type { PagePlan } from './pages.ts';
import type { PageOrder } from './render/protocol.ts';
import { findStale } from './trace.ts';
import { renderVersion } from './version.ts';
import { createWhyWriter, type Reason, type Why } from './why.ts';

/** Picks each page's template. Throws a ContentFault that names a template which the shell lacks. */
export function orderPages(plans: readonly PagePlan[], templates: Readonly<Record<string, unknown>>): PageOrder[] {
  return plans.map((plan) => {
    if (plan.kind === 'feed') return { plan, template: '' };
    const template = plan.templates.find((name) => Object.hasOwn(templates, name));
    if (!template)
      throw new ContentFault(`The shell has no ${plan.templates.join(' or ')}, which the page ${plan.path} needs.`);
    return { plan, template };
  });
}

export interface Choice {
  /** Pages to take over from an earlier release. */
  kept: Map<string, BaseRelease>;
  /** Pages to render, and why. */
  stale: { order: PageOrder; reason: Reason }[];
  /** Why pages and kept pages differ from the release that is replaced, where they do. */
  reasons: Map<string, Reason>;
}

/**
 * Decides for each page whether one of the earlier releases has it as it would be now (design: idea 4). `replaces`: the release that
 * reasons are told against.
 */
export function choosePages(
  orders: readonly PageOrder[],
  bases: readonly BaseRelease[],
  replaces: string | null,
  readValue: (key: string) => string,
): Choice {
  const kept: Choice['kept'] = new Map();
  const reasons = new Map<string, Reason>(orders.map(({ plan }) => [plan.path, { kind: 'new' }]));
  let open = orders;
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
  return { kept, stale: open.map((order) => ({ order, reason: reasons.get(order.plan.path)! })), reasons };
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
