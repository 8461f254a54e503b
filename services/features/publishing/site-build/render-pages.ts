import type { BodyReader } from './bodies.ts';
import { ContentFault, type ItemInput } from './model.ts';
import type { PageOrder, RenderedPage, RenderFault, RenderReply, RenderSession } from './render/protocol.ts';
import type { SiteIndex } from './site-index.ts';

const batchPages = 25;
/** A page that keeps asking for bodies shows a long list of whole items; each round brings at least one more. */
const maxRounds = 100;

function describe({ path, template, line, column, message }: RenderFault): string {
  const at = line > 0 ? `, line ${line}${column > 0 ? `, column ${column}` : ''}` : '';
  const place = template ? `${template}${at}: ` : '';
  return `The page ${path} could not be rendered. ${place}${message}`;
}

function ownItems(orders: readonly PageOrder[], index: SiteIndex) {
  return orders.flatMap(({ plan }) => (plan.itemId === null ? [] : [index.itemById(plan.itemId)!]));
}

function countRound(rounds: Map<PageOrder, number>, order: PageOrder): PageOrder {
  const round = (rounds.get(order) ?? 0) + 1;
  rounds.set(order, round);
  if (round > maxRounds) throw new ContentFault(`The page ${order.plan.path} shows the bodies of too many items.`);
  return order;
}

/** Bodies that pages of this batch turned out to show besides their own. */
function askedFor(replies: readonly RenderReply[], index: SiteIndex) {
  const ids = new Set(replies.flatMap((reply) => (reply.kind === 'bodies' ? reply.itemIds : [])));
  return [...ids].flatMap((id) => index.itemById(id) ?? []);
}

/**
 * Renders pages in batches and hands each to `onPage`. Throws a ContentFault that names the page, the template, the line
 * and the cause. `onBatch` is awaited between batches and may throw to stop.
 */
export async function renderPages(
  session: RenderSession,
  orders: readonly PageOrder[],
  index: SiteIndex,
  readBodies: BodyReader,
  onPage: (page: RenderedPage, order: PageOrder) => void,
  onBatch: (done: number) => Promise<void>,
): Promise<void> {
  const rounds = new Map<PageOrder, number>();
  let open = [...orders];
  let asked: ItemInput[] = [];
  while (open.length > 0) {
    const batch = open.slice(0, batchPages);
    const bodies = await readBodies([...ownItems(batch, index), ...asked]);
    const replies = await session.render(batch, bodies);
    const again: PageOrder[] = [];
    for (const [n, reply] of replies.entries()) {
      const order = batch[n]!;
      if (reply.kind === 'fault') throw new ContentFault(describe(reply.fault));
      if (reply.kind === 'page') onPage(reply.page, order);
      else again.push(countRound(rounds, order));
    }
    asked = askedFor(replies, index);
    open = [...again, ...open.slice(replies.length)];
    await onBatch(orders.length - open.length);
  }
}
