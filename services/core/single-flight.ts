/**
 * Runs work once for all callers that request the same key while it is running. All of them receive its result or its
 * error; neither is remembered. The `fetch` of lru-cache is no alternative: it aborts running work when other entries
 * need the space (decision 152).
 */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known) return known;
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
  let known: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    if (known && performance.now() - readAt <= ms) return known;
    readAt = performance.now();
    const reading = read();
    known = reading;
    reading.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading;
  };
}
