import { BuildStopped, BuildTimedOut, type BuildWatch } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import { beatAttempt, beatMs } from './attempts.ts';
import { type Claim, servingBuild } from './claim.ts';
import { createProgress } from './progress.ts';

const ownershipIntervalMs = 500;

export interface WatchOptions {
  /** Aborted when the actor wants another build instead, or the worker stops. */
  signal: AbortSignal;
  timeLimitMs: number;
  /** Whether to send heartbeats, from which other workers detect that this one lives. */
  beats: boolean;
}

/** Watches whether a build may continue: not cancelled, within its time limit, and still the one that may swap. */
export function watchBuild(db: Db, claimed: Claim, { signal, timeLimitMs, beats }: WatchOptions) {
  const progress = createProgress(db, servingBuild(claimed));
  const endsAt = performance.now() + timeLimitMs;
  const stopped = new AbortController();
  const stop = () => stopped.abort(new BuildStopped());
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const ownership = setInterval(() => {
    db.query<{ build_token: string | null }>('SELECT build_token FROM sites WHERE id = $1', [claimed.site.id]).then(
      ([row]) => {
        if (row?.build_token !== claimed.token) stop();
      },
      () => undefined, // the build's own queries report an unavailable engine
    );
  }, ownershipIntervalMs);
  const beat = beats
    ? setInterval(() => void beatAttempt(db, claimed.token).catch(() => undefined), beatMs) // as above
    : undefined;
  return {
    report: progress.report,
    signal: stopped.signal,
    check() {
      stopped.signal.throwIfAborted();
      if (performance.now() > endsAt) throw new BuildTimedOut();
    },
    /** Stops watching; resolves when the last write has ended. */
    stop() {
      signal.removeEventListener('abort', stop);
      clearInterval(ownership);
      clearInterval(beat);
      return progress.settle();
    },
  } satisfies BuildWatch & { stop(): Promise<unknown> };
}
