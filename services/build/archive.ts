/** One page of an archive: items `start` to `end` (exclusive) of the newest-first list. */
export interface ArchivePage {
  /** The number in its URL: 1 is `/posts/`, the others `/posts/page/{n}/`. */
  number: number;
  /** Its position in reading order, from 1. */
  position: number;
  start: number;
  end: number;
}

/**
 * Splits an archive into pages whose boundaries never move, in reading order (design: idea 4).
 *
 * Full pages are counted from the oldest item, so `/posts/page/2/` always holds the oldest ones, and a new post changes
 * only `/posts/`. The first page holds the remainder and the newest full page (unless that is the only one), so it is
 * never nearly empty. Once the remainder fills a page, that full page moves to the next number.
 */
export function planArchive(total: number, perPage: number): ArchivePage[] {
  const full = Math.floor(total / perPage);
  const rest = total % perPage;
  const firstCount = full === 0 || (full === 1 && rest > 0) ? rest : rest + perPage;
  const pages: ArchivePage[] = [{ number: 1, position: 1, start: 0, end: firstCount }];
  for (let start = firstCount; start < total; start += perPage) {
    const chunk = (total - start) / perPage; // from 1, counted from the oldest
    pages.push({ number: chunk + 1, position: pages.length + 1, start, end: start + perPage });
  }
  return pages;
}

const defaultPostsPerPage = 10;

/** The page size of a site's archives: `settings.posts_per_page`, 1 to 100. */
export function postsPerPage(settings: Record<string, unknown>): number {
  const wanted = settings['posts_per_page'];
  return typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 1 && wanted <= 100
    ? wanted
    : defaultPostsPerPage;
}
