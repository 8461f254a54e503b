import type { JobProgress } from '../progress.ts';

/** A release as `releases list` shows it. */
export interface ReleaseLine {
  id: string;
  live: boolean;
  created_at: string;
  pages: number;
  changed: number;
}

/** The result of a publish that has succeeded. */
export interface PublishResult {
  url: string;
  warnings?: { message: string }[];
}

export interface PageReasons {
  release: string;
  path: string;
  rendered: boolean | null;
  reasons: readonly object[];
}

/**
 * The calls of the publishing commands, on the engines of this machine or over REST. Unknown sites and releases are
 * `not_found`.
 */
export interface PublishingCalls {
  /**
   * Publishes a site. With `onProgress` it waits for the end of the job and returns its result too. Throws a CliError
   * with the job's error.
   */
  publish(
    site: string,
    onProgress?: (progress: JobProgress) => void,
  ): Promise<{ job: string; status?: string; result?: PublishResult }>;
  /** Returns the releases, newest first. */
  list(site: string): Promise<ReleaseLine[]>;
  /** Makes an earlier release live again, and returns its id. */
  rollBack(site: string, release: string): Promise<string>;
  /** Explains a page of a release; undefined: of the live one. */
  why(site: string, path: string, release: string | undefined): Promise<PageReasons>;
}

export const unpublished = 'The site has not been published yet.';
