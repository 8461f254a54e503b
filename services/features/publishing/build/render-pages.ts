import type { BodyReader } from './bodies.ts';
import { ContentFault } from './model.ts';
import type { PageOrder, RenderedPage, RenderFault, RenderReply, RenderSession } from './render/protocol.ts';
import type { SiteIndex } from './site-index.ts';

const batchPages = 25;
/** A page that keeps asking for bodies shows a long list of whole items; each round brings at least one more. */
const maxRounds = 400;

function describe({ path, template, line, message }: RenderFault): string {
  const place = template ? `${template}${line > 0 ? `, line ${line}` : ''}: ` : '';
  return `The page ${path} could not be rendered. ${place}${message}`;
}

function ownItems(orders: readonly PageOrder[], index: SiteIndex) {
  return orders.flatMap(({ plan }) => (plan.itemId === null ? [] : [index.itemById(plan.itemId)!]));
}

/** Bodies that pages of this batch turned out to show besides their own. */
function askedFor(replies: readonly RenderReply[], index: SiteIndex) {
  const ids = new Set(replies.flatMap((reply) => (reply.kind === 'bodies' ? reply.itemIds : [])));
  return [...ids].flatMap((id) => index.itemById(id) ?? []);
}

/**
 * Renders pages in batches and hands each to `onPage` in order. Throws a ContentFault that names the page, the template,
 * the line and the cause. `onBatch` is called between batches and may throw to stop.
 */
export async function renderPages(
  session: RenderSession,
  orders: readonly PageOrder[],
  index: SiteIndex,
  readBodies: BodyReader,
  onPage: (page: RenderedPage, order: PageOrder) => void,
  onBatch: (done: number) => void,
): Promise<void> {
  for (let start = 0; start < orders.length; start += batchPages) {
    let open = orders.slice(start, start + batchPages);
    let bodies = await readBodies(ownItems(open, index));
    for (let round = 0; open.length > 0; round++) {
      const replies = await session.render(open, bodies);
      const fault = replies.find((reply) => reply.kind === 'fault');
      if (fault) throw new ContentFault(describe(fault.fault));
      replies.forEach((reply, n) => {
        if (reply.kind === 'page') onPage(reply.page, open[n]!);
      });
      bodies = await readBodies(askedFor(replies, index));
      open = open.filter((_, n) => replies[n]!.kind === 'bodies');
      if (open.length > 0 && round >= maxRounds) {
        throw new ContentFault(`The page ${open[0]!.plan.path} shows the bodies of more than ${maxRounds} items.`);
      }
    }
    onBatch(Math.min(start + batchPages, orders.length));
  }
}
