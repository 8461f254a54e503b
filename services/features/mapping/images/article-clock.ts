import { Problem } from '../../../core/errors.ts';

export interface ArticleLimits {
  /** One image, from the moment at which its transfer begins. */
  imageTimeoutMs: number;
  /** All images of one article: the time in which at least one of them is transferred. A slow server holds its article up so long. */
  articleTimeoutMs: number;
  /** Images whose turn comes later than this are left to the next attempt. */
  patienceMs: number;
}

export const defaultArticleLimits: ArticleLimits = {
  imageTimeoutMs: 20_000,
  articleTimeoutMs: 120_000,
  patienceMs: 300_000,
};

/** An image did not get its turn: nothing is known of it, so it is no reason to leave it out. */
export class TurnMissed extends Problem {
  constructor() {
    super('fetch_refused', 'Many other images were fetched first; the next attempt fetches the rest.');
  }
}

/**
 * Bounds the transfers of one article. Their waiting behind those of other articles costs no image its time: it would be left out
 * for good although nothing is wrong with it.
 */
export function createArticleClock(
  { imageTimeoutMs, articleTimeoutMs, patienceMs }: ArticleLimits,
  signal: AbortSignal,
) {
  const begunAt = performance.now();
  let running = 0;
  let runningSince = 0;
  let spentMs = 0;

  function leftMs(): number {
    const current = running > 0 ? performance.now() - runningSince : 0;
    return Math.max(0, articleTimeoutMs - spentMs - current);
  }

  /** Runs a transfer whose turn has come, and ends it when its time is over. Throws TurnMissed when its turn came too late. */
  return async function timed<T>(transfer: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (performance.now() - begunAt > patienceMs) throw new TurnMissed();
    const limit = AbortSignal.timeout(Math.min(imageTimeoutMs, Math.ceil(leftMs())));
    if (running++ === 0) runningSince = performance.now();
    try {
      return await transfer(AbortSignal.any([signal, limit]));
    } finally {
      if (--running === 0) spentMs += performance.now() - runningSince;
    }
  };
}
