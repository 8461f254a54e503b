/** Why a page is rendered: it is new, its trace has another version, or these of its reads have changed. */
export type Reason = { kind: 'new' } | { kind: 'version' } | { kind: 'changed'; reads: string[] };

/** Maximum number of changed reads that are stored for a page. */
export const maxReasons = 20;

/**
 * Why pages of a release differ from the replaced release. It is stored in the trace, so that it does not need that release. Reads have
 * the names of their keys in the trace; `new` and `version` are the reasons that are not reads.
 */
export interface Why {
  /** Distinct sets of reasons, which pages share. */
  sets: string[][];
  /** Pages that this build rendered: path → index in `sets`. */
  rendered: Record<string, number>;
  /** The same for pages reused from a preview. Pages in neither are unchanged from the replaced release. */
  reused: Record<string, number>;
}

/** One reason in machine-readable form. */
export interface PageReason {
  kind: string;
  [member: string]: string | number | null;
}

const without = (kind: string) => (): PageReason => ({ kind });
const named =
  (kind: string, member: string) =>
  (name: string): PageReason => ({ kind, [member]: name });

/** How to describe each kind of key (`reads` in reads.ts). */
const byKind: Readonly<Record<string, (name: string) => PageReason>> = {
  new: without('new'),
  version: without('version'),
  site: without('site'),
  target: without('target'),
  scripts: without('scripts'),
  homes: without('languages'),
  plan: without('plan'),
  item: named('item', 'id'),
  translations: named('translations', 'id'),
  media: named('media', 'id'),
  component: named('component', 'handle'),
  pages: named('pages', 'locale'),
  'post-count': named('post_count', 'locale'),
  posts(query) {
    const [locale, tag, offset, limit] = JSON.parse(query) as [string, string | null, number, number];
    return { kind: 'posts', locale, tag, offset, limit };
  },
  archive(slice) {
    const [locale] = JSON.parse(slice) as [string];
    return { kind: 'archive', locale };
  },
  shell: (path) => (path.endsWith('.twig') ? named('template', 'name') : named('shell_file', 'path'))(path),
};

/** Every kind of reason. */
export const reasonKinds = [
  ...['new', 'version', 'plan', 'item', 'posts', 'archive', 'post_count', 'pages', 'translations', 'media'],
  ...['template', 'shell_file', 'component', 'scripts', 'site', 'languages', 'target'],
] as const;

/** Returns the reason of a key in machine-readable form. Throws for an unknown key. */
export function describeReason(key: string): PageReason {
  const colon = key.indexOf(':');
  const describe = byKind[colon < 0 ? key : key.slice(0, colon)];
  if (!describe) throw new Error(`${key} is no reason.`);
  return describe(key.slice(colon + 1));
}

/** Collects the reasons of pages of the release that is being built. */
export function createWhyWriter() {
  const why: Why = { sets: [], rendered: {}, reused: {} };
  const numbers = new Map<string, number>();

  function numberOf(reason: Reason): number {
    const set = reason.kind === 'changed' ? reason.reads : [reason.kind];
    const name = set.join('\0');
    let number = numbers.get(name);
    if (number === undefined) {
      number = why.sets.push([...set]) - 1;
      numbers.set(name, number);
    }
    return number;
  }

  return {
    why,
    add(path: string, reason: Reason, isRendered: boolean): void {
      (isRendered ? why.rendered : why.reused)[path] = numberOf(reason);
    },
  };
}

/** Whether and why a release changed one of its pages. */
export interface PageWhy {
  /** Whether the build of the release rendered the page. Null for a release without stored reasons, from an earlier version. */
  rendered: boolean | null;
  reasons: PageReason[];
}

/** The part of a trace that explains pages. */
interface ExplainedTrace {
  pages: Readonly<Record<string, unknown>>;
  why?: Why;
}

const numberAt = (pages: Record<string, number>, path: string) =>
  Object.hasOwn(pages, path) ? pages[path] : undefined;

/** Returns why a page differs from the replaced release; undefined for a path without a page. */
export function findWhy({ pages, why }: ExplainedTrace, path: string): PageWhy | undefined {
  if (!Object.hasOwn(pages, path)) return undefined;
  if (!why) return { rendered: null, reasons: [] };
  const rendered = numberAt(why.rendered, path);
  const number = rendered ?? numberAt(why.reused, path);
  const set = number === undefined ? [] : why.sets[number]!;
  return { rendered: rendered !== undefined, reasons: set.map(describeReason) };
}

/** The number of rendered and reused pages of a release, and the number of pages per kind of reason. */
export interface WhySummary {
  rendered: number;
  reused: number;
  /** Pages by kind of reason; a page counts once per kind. */
  reasons: Record<string, number>;
}

/** Returns the summary of the reasons of a release's pages, of which `total` count: those that `counts` accepts. */
export function summarizeWhy(
  { sets, rendered, reused }: Why,
  total: number,
  counts: (path: string) => boolean,
): WhySummary {
  const kinds = sets.map((set) => new Set(set.map((key) => describeReason(key).kind)));
  const summary: WhySummary = { rendered: 0, reused: 0, reasons: {} };
  const differing = (pages: Record<string, number>) => Object.entries(pages).filter(([path]) => counts(path));
  const own = differing(rendered);
  summary.rendered = own.length;
  summary.reused = total - own.length;
  for (const [, number] of [...own, ...differing(reused)])
    for (const kind of kinds[number]!) summary.reasons[kind] = (summary.reasons[kind] ?? 0) + 1;
  return summary;
}
