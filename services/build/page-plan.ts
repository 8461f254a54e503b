/** A page to render, and the templates it may use. */
export interface PagePlan {
  path: string;
  locale: string;
  kind: 'home' | 'item' | 'archive' | 'not_found' | 'feed';
  /** The first of these that the shell has is used; empty for a feed, which needs no template. */
  templates: string[];
  /** The item of an item page, otherwise null. */
  itemId: string | null;
  archive: ArchiveSlice | null;
}

/** One page of an archive. Its items are `offset` to `offset + count` of the locale's posts, newest first. */
export interface ArchiveSlice {
  /** Counted from the oldest post, so that a new post does not change it. */
  fromOldest: number;
  count: number;
  page: number;
  total_pages: number;
  per_page: number;
  prev: string | null;
  next: string | null;
}

/** Whether the page at a path counts in the results of jobs: feeds and 404 pages, which are files, do not. */
export const isCountedPath = (path: string): boolean => path.endsWith('/');
