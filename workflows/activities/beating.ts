import { Context } from '@temporalio/activity';
import { heartbeatMs } from '../policies/index.ts';

/** Heartbeats while `work` runs, so that a lost worker is noticed and a cancellation arrives. */
export async function beating<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), heartbeatMs);
  try {
    return await work(context);
  } finally {
    clearInterval(beat);
  }
}
