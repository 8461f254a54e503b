import type { BodyReader } from './bodies.ts';
import { ContentFault, type ItemInput } from './model.ts';
import { createFaults } from './page-faults.ts';
import { createPageQueue, type PageQueue } from './page-queue.ts';
import type { PlannedPage, RenderedPage, RenderLane, RenderReply, RenderSession } from './render/protocol.ts';
import type { SiteIndex } from './site-index.ts';
import type { SourceFeed } from './source-feed.ts';

const batchPages = 50;
/** A further renderer is used for at least this many pages, and this share of the items, which it must receive first. */
const minLanePages = 10 * batchPages;
const minLaneShare = 0.1;
/** Characters of bodies per request to a renderer; a larger body is sent alone. */
const batchCharacters = 4_000_000;
/** Limit for a page that shows a long list of complete items; each round supplies at least one more body. */
const maxRounds = 100;
/** A page may load 500 templates; if they exceed a renderer's memory, it requests the same ones repeatedly. */
const maxSourceRounds = 200;

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
  /** Opens the feed of one renderer. */
  openSources(): SourceFeed;
}

/** Returns the templates that pages of this batch requested. */
function requestedSources(replies: readonly RenderReply[]): string[] {
  return [...new Set(replies.flatMap((reply) => (reply.kind === 'source' ? [reply.name] : [])))];
}

/** Pages and the bodies that they need. */
interface Batch {
  pages: readonly PlannedPage[];
  bodies: ReadonlyMap<string, string>;
}

/** Receives rendered pages. */
export interface PageSink {
  onPage(rendered: RenderedPage, page: PlannedPage): void;
  /** Awaited after each batch; may throw to stop. `done`: number of pages rendered so far. */
  onBatch(done: number): Promise<void>;
}

/**
 * Renders pages in batches, in as many renderers as are idle, and passes each to `onPage`. While a renderer is busy with a
 * batch, the bodies of its next one are read: so at most two batches per renderer are in memory. `queue`: supplies the pages,
 * in their order. Throws a PageFault that names the page, template, line and cause: of several pages with faults, the first.
 */
export async function renderPages(
  session: RenderSession,
  pages: readonly PlannedPage[],
  index: SiteIndex,
  { readBodies, openSources }: PageSources,
  { onPage, onBatch }: PageSink,
  queue: PageQueue = createPageQueue(pages),
): Promise<void> {
  const rounds: Rounds = { bodies: new Map(), sources: new Map() };
  const faults = createFaults(pages);
  const errors: unknown[] = [];
  const extra = new Set<Promise<void>>();
  let done = 0;

  /** Reads the bodies of the first of these pages, and those requested. */
  async function readBatch(wanted: readonly PlannedPage[], requested: readonly ItemInput[]): Promise<Batch> {
    const bodies = await readBodies([...requested, ...ownItems(wanted, index)], batchCharacters);
    return { pages: pagesWithBodies(wanted, bodies, rounds), bodies };
  }

  /** Takes a batch from the queue; null if it is empty. */
  async function takeBatch(): Promise<Batch | null> {
    const wanted = await queue.take(batchPages);
    if (wanted.length === 0) return null;
    const batch = await readBatch(wanted, []);
    queue.putBack(wanted.slice(batch.pages.length));
    return batch;
  }

  /** Sorts the replies to a batch. Returns the pages to render again. */
  function handle(replies: readonly RenderReply[], batch: readonly PlannedPage[]): PlannedPage[] {
    const repeated: PlannedPage[] = [];
    for (const [n, reply] of replies.entries()) {
      const page = batch[n]!;
      if (reply.kind === 'fault') faults.add(page, reply.fault);
      else if (reply.kind === 'page') onPage(reply.page, page);
      else repeated.push(requireFurtherRound(rounds, page, reply.kind));
    }
    if (faults.first()) queue.stop();
    done += replies.length - repeated.length;
    return [...repeated, ...batch.slice(replies.length)];
  }

  /** Renders pages in one renderer until the queue is empty, or the lane ends. */
  async function renderIn(lane: RenderLane): Promise<void> {
    const sources = openSources();
    let open: readonly PlannedPage[] = [];
    let requested: ItemInput[] = [];
    let needed: string[] = [];
    let ahead = takeBatch();
    for (;;) {
      const batch = open.length > 0 ? await readBatch(open, requested) : await ahead;
      if (!batch || !faults.mayPrecede(batch.pages)) return;
      if (open.length === 0) {
        ahead = takeBatch();
        ahead.catch(() => undefined); // awaited later
      }
      const later = open.slice(batch.pages.length);
      const replies = await lane.render({ ...batch, sources: await sources.next(needed) });
      if (!replies) {
        queue.putBack([...batch.pages, ...later, ...((await ahead)?.pages ?? [])]);
        return;
      }
      open = [...handle(replies, batch.pages), ...later];
      requested = requestedItems(replies, index);
      needed = requestedSources(replies);
      await onBatch(done);
      addLane();
    }
  }

  /** Renders in a lane and records its error, so that the other lanes end what they have begun. */
  async function run(lane: RenderLane): Promise<void> {
    try {
      await renderIn(lane);
    } catch (error) {
      errors.push(error);
      queue.stop();
    }
  }

  /** Uses a further renderer, if one is idle and worth sending the site to. */
  function addLane(): void {
    if (extra.size >= session.extraLanes) return;
    if (queue.left() < Math.max(minLanePages, minLaneShare * index.items.length)) return;
    const lane = session.extraLane();
    if (!lane) return;
    const running = run(lane).finally(() => {
      lane.close();
      extra.delete(running);
    });
    extra.add(running);
  }

  do {
    await run(session);
    while (extra.size > 0) await Promise.all(extra); // an extra lane may add another
  } while (queue.left() > 0); // what an extra lane returned
  if (errors.length > 0) throw errors[0];
  const fault = faults.first();
  if (fault) throw fault;
}
