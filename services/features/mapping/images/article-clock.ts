import { Problem } from '../../../core/errors.ts';

export interface ArticleLimits {
  /** Timeout of one image, from the start of its transfer. */
  imageTimeoutMs: number;
  /**
   * Timeout of all images of one article: the time during which at least one is being transferred. A slow server delays
   * its article at most this long.
   */
  articleTimeoutMs: number;
  /** Images whose transfer cannot start within this time are left to the next attempt. */
  maxWaitMs: number;
}

export const defaultArticleLimits: ArticleLimits = {
  imageTimeoutMs: 20_000,
  articleTimeoutMs: 120_000,
  maxWaitMs: 300_000,
};

/** Thrown when the transfer of an image did not start: nothing is known about the image, so it must not be omitted. */
export class TurnMissed extends Problem {
  constructor() {
    super('fetch_refused', 'Many other images were fetched first; the next attempt fetches the rest.');
  }
}

/**
 * Creates the time limits for the transfers of one article. Waiting for transfers of other articles does not count:
 * otherwise an image would be omitted permanently although nothing is wrong with it.
 */
export function createArticleClock(
  { imageTimeoutMs, articleTimeoutMs, maxWaitMs }: ArticleLimits,
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

  /**
   * Runs a transfer that has reached the front of the queue, with a timeout. Throws TurnMissed when it started too
   * late.
   */
  return async function timed<T>(transfer: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (performance.now() - begunAt > maxWaitMs) throw new TurnMissed();
    const limit = AbortSignal.timeout(Math.min(imageTimeoutMs, Math.ceil(leftMs())));
    if (running++ === 0) runningSince = performance.now();
    try {
      return await transfer(AbortSignal.any([signal, limit]));
    } finally {
      if (--running === 0) spentMs += performance.now() - runningSince;
    }
  };
}
