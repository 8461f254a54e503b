import type { BodyReader } from './bodies.ts';
import { ContentFault, type ItemInput } from './model.ts';
import type { PageOrder, RenderedPage, RenderFault, RenderReply, RenderSession } from './render/protocol.ts';
import type { SiteIndex } from './site-index.ts';
import type { SourceFeed } from './source-feed.ts';

const batchPages = 25;
/** Bodies that are sent to a renderer at once; a larger one is sent alone. */
const batchCharacters = 4_000_000;
/** A page that keeps asking for bodies shows a long list of whole items; each round brings at least one more. */
const maxRounds = 100;
/** A page may load 500 templates; one whose templates are larger than a renderer remembers asks for the same again and again. */
const maxSourceRounds = 200;

function describe({ path, template, line, column, message }: RenderFault): string {
  const at = line > 0 ? `, line ${line}${column > 0 ? `, column ${column}` : ''}` : '';
  const place = template ? `${template}${at}: ` : '';
  return `The page ${path} could not be rendered. ${place}${message}`;
}

function ownItems(orders: readonly PageOrder[], index: SiteIndex) {
  return orders.flatMap(({ plan }) => (plan.itemId === null ? [] : [index.itemById(plan.itemId)!]));
}

/** How often each page has asked for something. */
interface Rounds {
  bodies: Map<PageOrder, number>;
  sources: Map<PageOrder, number>;
}

/** A page that asked for something is rendered again with it, unless it asks without end. */
function askAgain(rounds: Rounds, order: PageOrder, kind: 'bodies' | 'source'): PageOrder {
  const asked = kind === 'bodies' ? rounds.bodies : rounds.sources;
  const round = (asked.get(order) ?? 0) + 1;
  asked.set(order, round);
  const { path } = order.plan;
  if (kind === 'bodies' && round > maxRounds)
    throw new ContentFault(`The page ${path} shows the bodies of too many items.`);
  if (kind === 'source' && round > maxSourceRounds)
    throw new ContentFault(`The page ${path} needs more text of templates than a page may.`);
  return order;
}

/** Bodies that pages of this batch turned out to show besides their own. */
function askedFor(replies: readonly RenderReply[], index: SiteIndex) {
  const ids = new Set(replies.flatMap((reply) => (reply.kind === 'bodies' ? reply.itemIds : [])));
  return [...ids].flatMap((id) => index.itemById(id) ?? []);
}

/** The first of these pages, as many as have their own body among those that are sent, or had it before. */
function withBodies(
  orders: readonly PageOrder[],
  bodies: ReadonlyMap<string, string>,
  { bodies: rounds }: Rounds,
): readonly PageOrder[] {
  const lacking = orders.findIndex((order) => {
    const { itemId } = order.plan;
    return itemId !== null && !bodies.has(itemId) && !rounds.has(order);
  });
  return lacking < 0 ? orders : orders.slice(0, Math.max(1, lacking));
}

/** Where renderers get what pages show. */
export interface PageSources {
  readBodies: BodyReader;
  sources: SourceFeed;
}

/** Templates that pages of this batch turned out to need. */
function neededSources(replies: readonly RenderReply[]): string[] {
  return [...new Set(replies.flatMap((reply) => (reply.kind === 'source' ? [reply.name] : [])))];
}

/**
 * Renders pages in batches and hands each to `onPage`. Throws a ContentFault that names the page, the template, the line
 * and the cause. `onBatch` is awaited between batches and may throw to stop.
 */
export async function renderPages(
  session: RenderSession,
  orders: readonly PageOrder[],
  index: SiteIndex,
  { readBodies, sources }: PageSources,
  onPage: (page: RenderedPage, order: PageOrder) => void,
  onBatch: (done: number) => Promise<void>,
): Promise<void> {
  const rounds: Rounds = { bodies: new Map(), sources: new Map() };
  let open = [...orders];
  let asked: ItemInput[] = [];
  let needed: string[] = [];
  while (open.length > 0) {
    const wanted = open.slice(0, batchPages);
    const bodies = await readBodies([...asked, ...ownItems(wanted, index)], batchCharacters);
    const batch = withBodies(wanted, bodies, rounds);
    const replies = await session.render({ orders: batch, bodies, sources: await sources.next(needed) });
    const again: PageOrder[] = [];
    for (const [n, reply] of replies.entries()) {
      const order = batch[n]!;
      if (reply.kind === 'fault') throw new ContentFault(describe(reply.fault));
      if (reply.kind === 'page') onPage(reply.page, order);
      else again.push(askAgain(rounds, order, reply.kind));
    }
    asked = askedFor(replies, index);
    needed = neededSources(replies);
    open = [...again, ...open.slice(replies.length)];
    await onBatch(orders.length - open.length);
  }
}
