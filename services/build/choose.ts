import { type BaseRelease, findBase } from './base-release.ts';
import { countTracedPages, readsAt } from './release-tree/trace-tree.ts';
import { chunksOf } from './release-tree/tree.ts';
import type { Planned, PlannedPage } from './render/protocol.ts';
import type { PathChanges } from './site-pages.ts';
import { findStale, isSameRead, type MayDiffer } from './trace.ts';
import { renderVersion } from './version.ts';
import { createWhyWriter, maxReasons, type Reason, type Why } from './why.ts';

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

/** What an earlier build knows of a release that it made, and this build therefore does not look for. */
export interface Known {
  /** The reads that may have other values than in the release. */
  mayDiffer: MayDiffer;
  /** The paths that the release lacks, or has in addition; null: they are not known. */
  since: PathChanges | null;
}

/** Returns why each page that `base` cannot supply must be rendered, in the order of the plan. */
function findReasons(
  planned: Planned,
  base: BaseRelease | null,
  readValue: (key: string) => string,
  known: Known | null,
): Map<string, Reason> {
  const reasons = new Map<string, Reason>();
  const usable = base && isUsable(base) ? base.trace.tree : null;
  const changed = new Map(
    usable ? chunksOf(usable).flatMap((chunk) => [...findStale(chunk, readValue, known?.mayDiffer)]) : [],
  );
  const since = usable && known?.since;
  const paths = since ? since.inOrder(new Set([...changed.keys(), ...since.added])) : planned.keys();
  for (const path of paths) {
    const reads = changed.get(path);
    if (reads) reasons.set(path, { kind: 'changed', reads: reads.slice(0, maxReasons) });
    else if (!base || !readsAt(base.trace.tree, path)) reasons.set(path, { kind: 'new' });
    else if (!usable) reasons.set(path, { kind: 'version' });
  }
  return reasons;
}

/** Returns the pages of a release that the site no longer has. `kept`: the number of those that it has. */
function findRemoved(planned: Planned, base: BaseRelease | null, kept: number, known: Known | null): Set<string> {
  if (!base || countTracedPages(base.trace.tree) === kept) return new Set();
  if (known?.since) return new Set(known.since.removed);
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
 * release that reasons compare with, which is the first of `bases` or none of them. `known`: what is known of the first of
 * them.
 */
export function choosePages(
  planned: Planned,
  bases: readonly BaseRelease[],
  replaces: string | null,
  readValue: (key: string) => string,
  known: Known | null = null,
): Choice {
  const base = findBase(bases);
  const isReplaced = base !== null && base.id === replaces;
  const open = findReasons(planned, base, readValue, known);
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
  choice.removed = findRemoved(planned, base, planned.size - added, known);
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
