import { type Client, errors } from 'undici';
import { FetchError, fetchError } from './errors.ts';

const timeoutErrors = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];

/** Starts the timers of one call and tracks its current connection. */
export function startTransfer(totalTimeoutMs: number, signal?: AbortSignal) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(fetchError('timeout')), totalTimeoutMs);
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  let client: Client | null = null;

  return {
    signal: controller.signal,
    /** Replaces the previous hop's client, which is destroyed. */
    use(next: Client) {
      void client?.destroy();
      client = next;
    },
    close() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      void client?.destroy();
    },
    toError(error: unknown): unknown {
      if (controller.signal.aborted) return controller.signal.reason;
      if (error instanceof FetchError) return error;
      const timedOut = timeoutErrors.some((type) => error instanceof type);
      return fetchError(timedOut ? 'timeout' : 'bad_response', { cause: error });
    },
  };
}

export type Transfer = ReturnType<typeof startTransfer>;
