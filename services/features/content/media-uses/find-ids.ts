const idPattern = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/gi;
/** A body of 20 MiB could name hundreds of thousands of ids; no page shows as many images. */
const maxIds = 10_000;

/**
 * Returns the distinct ids in a text that may name media items, in lower case, at most 10,000: of `<img src="media:{id}">`, and of
 * values of components, which name an item with or without `media:`.
 */
export function findMediaIds(text: string): string[] {
  const ids = new Set<string>();
  for (const [id] of text.matchAll(idPattern)) {
    ids.add(id.toLowerCase());
    if (ids.size === maxIds) break;
  }
  return [...ids];
}
