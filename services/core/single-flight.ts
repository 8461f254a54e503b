/**
 * Runs work once for all callers that ask for the same key while it is under way. All of them get its result or its error; neither is
 * remembered. (Not the `fetch` of lru-cache, which ends work under way when other entries need its place: docs/decisions/0152.)
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
 * Reads a value at most once in `ms` milliseconds: callers in between get the last result, also one that is still being read. A failed
 * read is not remembered.
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
