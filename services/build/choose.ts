import { type BaseRelease, findBase } from './base-release.ts';
import { ContentFault } from './model.ts';
import type { PagePlan } from './page-plan.ts';
import { countTracedPages, readsAt } from './release-tree/trace-tree.ts';
import { chunksOf } from './release-tree/tree.ts';
import type { Planned, PlannedPage } from './render/protocol.ts';
import { findStale, isSameRead, type MayDiffer } from './trace.ts';
import { renderVersion } from './version.ts';
import { createWhyWriter, maxReasons, type Reason, type Why } from './why.ts';

/** Plans of items are the same objects in every build as long as the items do not change. */
const plannedPages = new WeakMap<PagePlan, PlannedPage>();

/** Selects each page's template. Throws a ContentFault if the shell has none of a page's templates. */
export function assignTemplates(plans: readonly PagePlan[], templates: Readonly<Record<string, unknown>>): Planned {
  const planned = new Map<string, PlannedPage>();
  for (const plan of plans) {
    const template = plan.kind === 'feed' ? '' : plan.templates.find((name) => Object.hasOwn(templates, name));
    if (template === undefined)
      throw new ContentFault(`The shell has no ${plan.templates.join(' or ')}, which the page ${plan.path} needs.`);
    const known = plannedPages.get(plan);
    const page = known?.template === template ? known : { plan, template };
    plannedPages.set(plan, page);
    planned.set(plan.path, page);
  }
  return planned;
}

export interface Choice {
  /** The release that supplies every page that is neither stale nor in `kept`; null if no such page exists. */
  base: BaseRelease | null;
  /** Pages that another release supplies. */
  kept: Map<string, BaseRelease>;
  /** Pages to render, and why. */
  stale: { page: PlannedPage; reason: Reason }[];
  /** Pages of `base` that the site no longer has. */
  removed: Set<string>;
  /** Why pages and kept pages differ from the replaced release, where they do. */
  reasons: Map<string, Reason>;
}

const isUsable = (base: BaseRelease) => base.trace.version === renderVersion;

/** Returns why each page that `base` cannot supply must be rendered, in the order of the plan. */
function findReasons(
  planned: Planned,
  base: BaseRelease | null,
  readValue: (key: string) => string,
  mayDiffer: MayDiffer | undefined,
): Map<string, Reason> {
  const reasons = new Map<string, Reason>();
  const usable = base && isUsable(base) ? base.trace.tree : null;
  const changed = new Map(
    usable ? chunksOf(usable).flatMap((chunk) => [...findStale(chunk, readValue, mayDiffer)]) : [],
  );
  for (const path of planned.keys()) {
    const reads = changed.get(path);
    if (reads) reasons.set(path, { kind: 'changed', reads: reads.slice(0, maxReasons) });
    else if (!base || !readsAt(base.trace.tree, path)) reasons.set(path, { kind: 'new' });
    else if (!usable) reasons.set(path, { kind: 'version' });
  }
  return reasons;
}

/** Returns the pages of a release that the site no longer has. */
function findRemoved(planned: Planned, base: BaseRelease | null, known: number): Set<string> {
  if (!base || countTracedPages(base.trace.tree) === known) return new Set();
  const paths = chunksOf(base.trace.tree).flatMap(({ pages }) => Object.keys(pages));
  return new Set(paths.filter((path) => !planned.has(path)));
}

/** Whether a release can supply a page: all that the page read has the same values now. */
function isCurrent({ trace }: BaseRelease, path: string, readValue: (key: string) => string): boolean {
  const found = readsAt(trace.tree, path);
  return found?.reads.every((read) => isSameRead(found.chunk, read, readValue)) ?? false;
}

/**
 * Decides for each page whether one of the earlier releases can supply it unchanged (design: idea 4). `replaces`: the
 * release that reasons compare with, which is the first of `bases` or none of them. `mayDiffer`: the reads that may have
 * other values than in the first of them.
 */
export function choosePages(
  planned: Planned,
  bases: readonly BaseRelease[],
  replaces: string | null,
  readValue: (key: string) => string,
  mayDiffer?: MayDiffer,
): Choice {
  const base = findBase(bases);
  const isReplaced = base !== null && base.id === replaces;
  const open = findReasons(planned, base, readValue, mayDiffer);
  const isNew: Reason = { kind: 'new' };
  const reasons = isReplaced ? open : new Map<string, Reason>([...planned.keys()].map((path) => [path, isNew]));
  const others = bases.filter((one) => one !== base && isUsable(one));
  const choice: Choice = { base, kept: new Map(), stale: [], removed: new Set(), reasons };
  for (const path of open.keys()) {
    const supplier = others.find((one) => isCurrent(one, path, readValue));
    if (supplier) choice.kept.set(path, supplier);
    else choice.stale.push({ page: planned.get(path)!, reason: reasons.get(path)! });
  }
  const added = [...open.values()].filter(({ kind }) => kind === 'new').length;
  choice.removed = findRemoved(planned, base, planned.size - added);
  return choice;
}

/** Whether a page was rendered by this build, also if it was in an earlier pass or before it ran out of time. */
function isOwn(path: string, supplier: BaseRelease | undefined): boolean {
  if (!supplier || supplier.isUnfinished) return true;
  return supplier.isSameBuild === true && Object.hasOwn(supplier.trace.why!.rendered, path);
}

/** Why the pages of a release differ from the release that it replaces. */
export function whyOf({ base, kept, stale, reasons }: Choice): Why {
  const writer = createWhyWriter();
  const rendered = new Set(stale.map(({ page }) => page.plan.path));
  for (const [path, reason] of reasons) {
    const isRendered = rendered.has(path) || isOwn(path, kept.get(path) ?? base ?? undefined);
    writer.add(path, reason, isRendered);
  }
  return writer.why;
}
