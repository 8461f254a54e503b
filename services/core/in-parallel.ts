/**
 * Runs the work for each item, at most `atOnce` concurrently. Returns the results in the order of the items. After an error
 * it starts no further work, waits for what is running, and rejects with the first error.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let isFailed = false;
  const lane = async () => {
    for (const [index, item] of queue) {
      if (isFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.min(atOnce, items.length) }, lane);
  await Promise.all(lanes).finally(() => Promise.allSettled(lanes));
  return results;
}
