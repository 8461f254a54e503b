import type { ByteBudget } from '../../core/byte-budget.ts';
import { wholeListBytes } from '../../core/large-list.ts';
import type { Context, Stage } from '../context.ts';

/**
 * Lets replies take memory. All lists and large replies of the process share one budget, so that any number of them uses a bounded
 * amount; beyond it they wait, fair by user.
 */
export function createMemoryStage(budget: ByteBudget): Stage {
  function open(ctx: Context) {
    const memory = budget.open(ctx.key!.userId);
    ctx.res.once('close', () => memory.release());
    if (ctx.res.destroyed) memory.release();
    return memory;
  }
  return (ctx) => {
    ctx.takeMemory = () => (ctx.memory ??= open(ctx));
    return undefined;
  };
}

/** Takes memory for a list before anything of it is read: as much as its first rows may take. The sender takes what follows. */
export const holdListMemory: Stage = async (ctx) => {
  if (ctx.route!.reply.list) await ctx.takeMemory!().hold(wholeListBytes);
  return undefined;
};
