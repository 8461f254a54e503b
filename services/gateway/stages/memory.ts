import type { ByteBudget } from '../../core/byte-budget.ts';
import { wholeListBytes } from '../../core/large-list.ts';
import type { Context, Stage } from '../context.ts';

/**
 * Creates the stage that lets replies take memory. All lists and large replies of the process share one budget;
 * requests beyond it wait, fairly by user.
 */
export function createMemoryStage(budget: ByteBudget): Stage {
  function open(ctx: Context) {
    const memory = budget.open(ctx.caller!.userId);
    ctx.res.once('close', () => memory.release());
    if (ctx.res.destroyed) memory.release();
    return memory;
  }
  return (ctx) => {
    ctx.takeMemory = () => (ctx.memory ??= open(ctx));
    return undefined;
  };
}

/** Reserves memory for a list before any row is read: the maximum for its first rows. The sender reserves the rest. */
export const holdListMemory: Stage = async (ctx) => {
  if (ctx.route!.reply.list) await ctx.takeMemory!().hold(wholeListBytes);
  return undefined;
};
