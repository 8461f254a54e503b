import { setTimeout as sleep } from 'node:timers/promises';
import { problem } from '../../core/errors.ts';
import { empty } from '../../core/reply.ts';
import { type Context, headerOf, type Stage } from '../context.ts';

/** Short enough for a progress bar; the worker writes progress at most every 300 ms. */
const intervalMs = 500;
/** After this time the browser reconnects, and its session and role are checked again. */
const lifetimeMs = 60_000;
/** Interval of empty comments, for proxies that close idle connections. */
const quietMs = 15_000;
const retryMs = 1_000;
const maxFollowersOfUser = 20;

const followers = new Map<string, number>();

/** Counts a follower of the user until the returned function is called. Throws `rate_limited`. */
function enter(userId: string): () => void {
  const number = followers.get(userId) ?? 0;
  if (number >= maxFollowersOfUser)
    throw problem('rate_limited', 'This user follows too many pages concurrently.', {
      headers: { 'Retry-After': '5' },
    });
  followers.set(userId, number + 1);
  return () => {
    const left = followers.get(userId)! - 1;
    if (left > 0) followers.set(userId, left);
    else followers.delete(userId);
  };
}

/**
 * Sends the record that `read` returns, and again when it has changed, until the browser disconnects, the gateway
 * stops, or the time is over.
 */
async function sendEvents(ctx: Context, read: Stage): Promise<void> {
  const { res } = ctx;
  const endMs = performance.now() + lifetimeMs;
  let [sent, sentMs] = ['', performance.now()];
  // a gateway that stops no longer keeps connections alive
  while (!res.destroyed && res.shouldKeepAlive && performance.now() < endMs) {
    const text = JSON.stringify((await read(ctx))!.record);
    if (text !== sent || performance.now() - sentMs > quietMs) {
      res.write(text === sent ? ':\n\n' : `data: ${text}\n\n`);
      [sent, sentMs] = [text, performance.now()];
    }
    await sleep(intervalMs);
  }
}

/**
 * Returns the stage that replies to `Accept: text/event-stream` with the records of `read` as events; other requests
 * continue.
 */
export function followWith(read: Stage): Stage {
  return async (ctx) => {
    if (!(headerOf(ctx, 'accept') ?? '').includes('text/event-stream')) return undefined;
    const leave = enter(ctx.session!.userId);
    try {
      const { res } = ctx;
      res.writeHead(200, {
        ...ctx.replyHeaders,
        'Content-Type': 'text/event-stream; charset=utf-8',
        'X-Accel-Buffering': 'no',
      });
      res.write(`retry: ${retryMs}\n\n`);
      await sendEvents(ctx, read);
    } catch (error) {
      // the status is already sent: the browser reconnects and receives the error as the reply
      ctx.app.log.warn({ err: error, path: ctx.path }, 'the event stream of a dashboard call ended early');
    } finally {
      leave();
      ctx.res.end();
    }
    return empty(200);
  };
}
