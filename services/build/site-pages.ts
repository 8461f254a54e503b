import { assignTemplates } from './assign-templates.ts';
import { type ChangedItems, type ItemLists, newestFirst } from './item-lists.ts';
import type { ItemInput } from './model.ts';
import { isCountedPath } from './page-plan.ts';
import { planItem, planOwnPages, planPages } from './pages.ts';
import { PatchedMap } from './patched-map.ts';
import type { Planned, PlannedPage } from './render/protocol.ts';
import type { SiteIndex } from './site-index.ts';

type Templates = Readonly<Record<string, unknown>>;

/** The pages of a release by path, in the order of the plan. They never change, so that the next build may start from them. */
export interface SitePages extends Planned {
  lists: ItemLists;
  /** Pages that are not of items and not feeds. */
  own: ReadonlyMap<string, PlannedPage>;
  items: PatchedMap<PlannedPage>;
  feeds: ReadonlyMap<string, PlannedPage>;
  /** Whether every item has a page. Otherwise an item has the path of another page, and no build starts from these pages. */
  isComplete: boolean;
  /** Number of pages in the results of jobs. */
  counted: number;
}

/** The paths that differ between the pages of two releases. */
export interface PathChanges {
  added: readonly string[];
  removed: readonly string[];
  /** Returns paths of the later release in the order of its plan. */
  inOrder(paths: ReadonlySet<string>): string[];
}

type Parts = Pick<SitePages, 'lists' | 'own' | 'items' | 'feeds' | 'isComplete' | 'counted'>;

function createSitePages(parts: Parts, index: SiteIndex): SitePages {
  const { own, items, feeds, lists } = parts;
  const { pathOf } = index;
  function* entries(): Generator<readonly [path: string, page: PlannedPage], undefined> {
    yield* own;
    for (const item of lists.items) {
      const path = pathOf(item);
      const page = items.get(path);
      if (page?.plan.itemId === item.id) yield [path, page];
    }
    yield* feeds;
  }
  return {
    ...parts,
    size: own.size + items.size + feeds.size,
    get: (path) => own.get(path) ?? items.get(path) ?? feeds.get(path),
    has: (path) => own.has(path) || items.has(path) || feeds.has(path),
    *keys() {
      for (const [path] of entries()) yield path;
    },
    *values() {
      for (const [, page] of entries()) yield page;
    },
  };
}

/** Plans all pages. Throws a ContentFault if the shell lacks a template. */
function planAll(index: SiteIndex, templates: Templates): SitePages {
  const planned = assignTemplates(planPages(index), templates);
  const own = new Map<string, PlannedPage>();
  const items = new Map<string, PlannedPage>();
  const feeds = new Map<string, PlannedPage>();
  let counted = 0;
  for (const [path, page] of planned) {
    const { kind } = page.plan;
    (kind === 'item' ? items : kind === 'feed' ? feeds : own).set(path, page);
    if (isCountedPath(path)) counted++;
  }
  const isComplete = items.size === index.items.length;
  return createSitePages({ lists: index.lists, own, items: new PatchedMap(items), feeds, isComplete, counted }, index);
}

function createPathChanges(pages: SitePages, added: readonly string[], removed: readonly string[]): PathChanges {
  const { own, items, feeds, lists } = pages;
  return {
    added,
    removed,
    inOrder(paths) {
      const isAsked = (path: string) => paths.has(path);
      const shown = [...paths].flatMap((path) => lists.byId.get(items.get(path)?.plan.itemId ?? '') ?? []);
      const ofItem = new Map([...paths].map((path) => [items.get(path)?.plan.itemId, path]));
      return [
        ...[...own.keys()].filter(isAsked),
        ...shown.sort(newestFirst).map(({ id }) => ofItem.get(id)!),
        ...[...feeds.keys()].filter(isAsked),
      ];
    },
  };
}

const postCounts = ({ posts }: ItemLists) => JSON.stringify([...posts].map(([locale, { length }]) => [locale, length]));

/** Returns the pages that are not of items: those of the earlier release, unless the number of posts has changed. */
function patchOwn(before: SitePages, index: SiteIndex, templates: Templates): ReadonlyMap<string, PlannedPage> {
  if (postCounts(before.lists) === postCounts(index.lists)) return before.own;
  return assignTemplates(planOwnPages(index), templates);
}

/**
 * Returns the pages of a site that differs in these items only from that of an earlier release; null if the path of an item
 * is that of another page.
 */
function patchPages(
  before: SitePages,
  { gone, fresh }: ChangedItems,
  index: SiteIndex,
  templates: Templates,
): { pages: SitePages; since: PathChanges } | null {
  if (!before.isComplete) return null;
  const own = patchOwn(before, index, templates);
  const isIn =
    ({ byId }: ItemLists) =>
    (item: ItemInput) =>
      byId.get(item.id) === item;
  const left = new Set(gone.filter(isIn(before.lists)).map(index.pathOf));
  const plans = fresh.filter(isIn(index.lists)).sort(newestFirst);
  const come = assignTemplates(
    plans.map((item) => planItem(item, index)),
    templates,
  );
  const items = before.items.patch(left, come);
  const isComplete = items.size === index.items.length;
  const hasOwn = [...come.keys()].some((path) => own.has(path) || before.feeds.has(path));
  const isHidden = own !== before.own && [...own.keys()].some((path) => items.has(path));
  if (!isComplete || hasOwn || isHidden) return null;

  const ownChanged = own === before.own ? [] : [...before.own.keys(), ...own.keys()];
  const isThere = (path: string) => own.has(path) || items.has(path);
  const removed = [...left, ...ownChanged].filter((path) => before.has(path) && !isThere(path));
  const added = [...come.keys(), ...ownChanged].filter((path) => isThere(path) && !before.has(path));
  const counted = before.counted + added.length - removed.length; // feeds and 404 pages do not change here
  const pages = createSitePages({ lists: index.lists, own, items, feeds: before.feeds, isComplete, counted }, index);
  return { pages, since: createPathChanges(pages, added, removed) };
}

/**
 * Plans the pages of a site. `before`: the pages of a release whose sources differ only in these items and media.
 * `since`: what differs from them, if only that was planned. Throws a ContentFault if the shell lacks a template.
 */
export function planSite(
  index: SiteIndex,
  templates: Templates,
  before: { pages: SitePages; changed: ChangedItems } | null,
): { pages: SitePages; since: PathChanges | null } {
  const patched = before && patchPages(before.pages, before.changed, index, templates);
  return patched ?? { pages: planAll(index, templates), since: null };
}
