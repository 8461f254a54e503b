import { BuildTimedOut, type BuildWatch, ContentFault } from '../../build/index.ts';
import { invalid, problem } from '../../core/errors.ts';

/** Time limit of a preview, for which an HTTP request waits. */
const previewLimitMs = 60_000;

/** Creates the watch of a preview: it reports nothing and ends with the signal or the time limit. */
export function watchPreview(signal: AbortSignal): BuildWatch {
  const endsAt = performance.now() + previewLimitMs;
  return {
    signal,
    report: () => undefined,
    check() {
      signal.throwIfAborted();
      if (performance.now() > endsAt) throw new BuildTimedOut();
    },
  };
}

/** Returns the client's error for a failed preview; other errors come from an engine, and the call is retried. */
export function explainPreviewFault(error: unknown): unknown {
  if (error instanceof ContentFault) return invalid([{ path: '', message: error.message }]);
  if (error instanceof BuildTimedOut)
    return problem('unavailable', 'The preview took too long.', { retryAfterSeconds: 10, isBusy: true });
  return error;
}
