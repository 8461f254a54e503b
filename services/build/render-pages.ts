import type { BodyReader } from './bodies.ts';
import { ContentFault, type ItemInput } from './model.ts';
import type { PlannedPage, RenderedPage, RenderFault, RenderReply, RenderSession } from './render/protocol.ts';
import type { SiteIndex } from './site-index.ts';
import type { SourceFeed } from './source-feed.ts';

const batchPages = 25;
/** Characters of bodies per request to a renderer; a larger body is sent alone. */
const batchCharacters = 4_000_000;
/** Limit for a page that shows a long list of complete items; each round supplies at least one more body. */
const maxRounds = 100;
/** A page may load 500 templates; if they exceed a renderer's memory, it requests the same ones repeatedly. */
const maxSourceRounds = 200;

function describe({ path, template, line, column, message }: RenderFault): string {
  const at = line > 0 ? `, line ${line}${column > 0 ? `, column ${column}` : ''}` : '';
  const place = template ? `${template}${at}: ` : '';
  return `The page ${path} could not be rendered. ${place}${message}`;
}

function ownItems(pages: readonly PlannedPage[], index: SiteIndex) {
  return pages.flatMap(({ plan }) => (plan.itemId === null ? [] : [index.itemById(plan.itemId)!]));
}

/** Number of times each page has requested something. */
interface Rounds {
  bodies: Map<PlannedPage, number>;
  sources: Map<PlannedPage, number>;
}

/** Counts a page's request and returns the page for another round. Throws a ContentFault beyond the limit. */
function requireFurtherRound(rounds: Rounds, page: PlannedPage, kind: 'bodies' | 'source'): PlannedPage {
  const counts = kind === 'bodies' ? rounds.bodies : rounds.sources;
  const round = (counts.get(page) ?? 0) + 1;
  counts.set(page, round);
  const { path } = page.plan;
  if (kind === 'bodies' && round > maxRounds)
    throw new ContentFault(`The page ${path} shows the bodies of too many items.`);
  if (kind === 'source' && round > maxSourceRounds)
    throw new ContentFault(`The page ${path} exceeds the limit of template text per page.`);
  return page;
}

/** Returns the items whose bodies pages of this batch requested. */
function requestedItems(replies: readonly RenderReply[], index: SiteIndex) {
  const ids = new Set(replies.flatMap((reply) => (reply.kind === 'bodies' ? reply.itemIds : [])));
  return [...ids].flatMap((id) => index.itemById(id) ?? []);
}

/** Returns the first pages, up to one whose own body has not been sent; at least one page. */
function pagesWithBodies(
  pages: readonly PlannedPage[],
  bodies: ReadonlyMap<string, string>,
  { bodies: rounds }: Rounds,
): readonly PlannedPage[] {
  const firstWithout = pages.findIndex((page) => {
    const { itemId } = page.plan;
    return itemId !== null && !bodies.has(itemId) && !rounds.has(page);
  });
  return firstWithout < 0 ? pages : pages.slice(0, Math.max(1, firstWithout));
}

/** Where renderers get bodies and template sources. */
export interface PageSources {
  readBodies: BodyReader;
  sources: SourceFeed;
}

/** Returns the templates that pages of this batch requested. */
function requestedSources(replies: readonly RenderReply[]): string[] {
  return [...new Set(replies.flatMap((reply) => (reply.kind === 'source' ? [reply.name] : [])))];
}

/**
 * Renders pages in batches and passes each to `onPage`. Throws a ContentFault that names the page, template, line and
 * cause. `onBatch` is awaited between batches and may throw to stop.
 */
export async function renderPages(
  session: RenderSession,
  pages: readonly PlannedPage[],
  index: SiteIndex,
  { readBodies, sources }: PageSources,
  onPage: (rendered: RenderedPage, page: PlannedPage) => void,
  onBatch: (done: number) => Promise<void>,
): Promise<void> {
  const rounds: Rounds = { bodies: new Map(), sources: new Map() };
  let open = [...pages];
  let requested: ItemInput[] = [];
  let needed: string[] = [];
  while (open.length > 0) {
    const wanted = open.slice(0, batchPages);
    const bodies = await readBodies([...requested, ...ownItems(wanted, index)], batchCharacters);
    const batch = pagesWithBodies(wanted, bodies, rounds);
    const replies = await session.render({ pages: batch, bodies, sources: await sources.next(needed) });
    const repeated: PlannedPage[] = [];
    for (const [n, reply] of replies.entries()) {
      const page = batch[n]!;
      if (reply.kind === 'fault') throw new ContentFault(describe(reply.fault));
      if (reply.kind === 'page') onPage(reply.page, page);
      else repeated.push(requireFurtherRound(rounds, page, reply.kind));
    }
    requested = requestedItems(replies, index);
    needed = requestedSources(replies);
    open = [...repeated, ...open.slice(replies.length)];
    await onBatch(pages.length - open.length);
  }
}
