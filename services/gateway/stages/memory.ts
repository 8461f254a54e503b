import type { ByteBudget } from '../../core/byte-budget.ts';
import { wholeListBytes } from '../../core/large-list.ts';
import type { Stage } from '../context.ts';

/**
 * Takes memory for a list before anything of it is read: as much as its first rows may take. All lists of the process share one
 * budget, so that any number of them uses a bounded amount; beyond it they wait, fair by user. The sender takes what follows.
 */
export function createMemoryStage(budget: ByteBudget): Stage {
  return async (ctx) => {
    if (!ctx.route!.reply.list) return undefined;
    const memory = budget.open(ctx.key!.userId);
    ctx.memory = memory;
    ctx.res.once('close', () => memory.release());
    if (ctx.res.destroyed) memory.release();
    await memory.hold(wholeListBytes);
    return undefined;
  };
}
