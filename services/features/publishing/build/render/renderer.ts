import { ContentFault } from '../model.ts';
import { ChildLost, createRenderChild, type RenderChild } from './child-process.ts';
import type { PageOrder, Renderer, RenderReply, RenderSession, RenderSnapshot } from './protocol.ts';

const openTimeoutMs = 60_000;
/** One page may take ten seconds (the engine's own limit); this catches what the engine cannot. */
const renderTimeoutMs = 40_000;

function describeLoss(orders: readonly PageOrder[], cause: Error): Error {
  const [first] = orders;
  if (!first) return cause;
  const others = orders.length > 1 ? ` or one of the ${orders.length - 1} after it` : '';
  return new ContentFault(`The page ${first.plan.path}${others} takes more time or memory than a page may.`, { cause });
}

/** Lends out children one at a time: a page that brings its child down must not take another site's build along. */
function createChildPool(size: number) {
  const children = Array.from({ length: size }, createRenderChild);
  const free = [...children];
  const waiting: ((child: RenderChild) => void)[] = [];
  return {
    borrow(): Promise<RenderChild> {
      const child = free.pop();
      return child ? Promise.resolve(child) : new Promise((resolve) => waiting.push(resolve));
    },
    giveBack(child: RenderChild): void {
      const next = waiting.shift();
      if (next) next(child);
      else free.push(child);
    },
    stop(): void {
      for (const child of children) child.stop();
    },
  };
}

/** Renders in processes of their own (design: sandbox), `size` of them; each serves one build at a time. */
export function createRenderer(size: number): Renderer {
  const pool = createChildPool(size);

  function createSession(child: RenderChild): RenderSession {
    async function ask(orders: readonly PageOrder[], bodies: ReadonlyMap<string, string>): Promise<RenderReply[]> {
      try {
        return await child.ask({ kind: 'render', orders: [...orders], bodies: new Map(bodies) }, renderTimeoutMs);
      } catch (error) {
        throw error instanceof ChildLost ? describeLoss(orders, error) : error;
      }
    }
    return {
      render: ask,
      close() {
        child.ask({ kind: 'close' }, openTimeoutMs).catch(() => undefined);
        pool.giveBack(child);
      },
    };
  }

  return {
    async open(snapshot: RenderSnapshot): Promise<RenderSession> {
      const child = await pool.borrow();
      try {
        await child.ask({ kind: 'open', snapshot }, openTimeoutMs);
        return createSession(child);
      } catch (error) {
        pool.giveBack(child);
        throw error;
      }
    },
    async close() {
      pool.stop();
    },
  };
}
