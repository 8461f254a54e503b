/** Returns the first records of a list, at most `limit`; requests only the pages that they are on. */
export async function take<T>(records: AsyncIterable<T>, limit: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const record of records) {
    taken.push(record);
    if (taken.length >= limit) break;
  }
  return taken;
}
