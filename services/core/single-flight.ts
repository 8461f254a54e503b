/**
 * Runs work once for all callers that request the same key while it is running. All of them receive its result or its
 * error; neither is remembered. The `fetch` of lru-cache is no alternative: it aborts running work when other entries
 * need the space (decision 152).
 */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const pending = underWay.get(key);
    if (pending) return pending;
    const running = work().finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };
}

/**
 * Reads a value at most once per `ms` milliseconds. Callers in between receive the last result, or wait for the read
 * that is running. A failed read is not remembered.
 */
export function rememberFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    if (latest && performance.now() - readAt <= ms) return latest;
    readAt = performance.now();
    const reading = read();
    latest = reading;
    reading.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading;
  };
}
