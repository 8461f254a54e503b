import type { ServerResponse } from 'node:http';

/**
 * Returns the result of work that cannot be cancelled; rejects with the signal's reason if the signal is aborted first.
 * The work then continues, and its outcome is ignored.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Returns a signal that aborts when the response is complete or its client has disconnected. */
export function closeSignalOf(res: Pick<ServerResponse, 'closed' | 'once'>): AbortSignal {
  const closed = new AbortController();
  if (res.closed) closed.abort();
  else res.once('close', () => closed.abort());
  return closed.signal;
}
