/** Names and payloads of media work. Imports nothing. */

export const mediaActorType = 'mediaActor';

/** The one actor of a site's library: it makes variants of whatever SQL says is waiting. */
export function mediaActor(siteId: string): { type: string; id: string; args: [string] } {
  return { type: mediaActorType, id: `media:${siteId}`, args: [siteId] };
}

/** Fetches a URL for the gateway, which has no way out itself. */
export const mediaFetchType = 'mediaFetch';
export const mediaFetchTimeoutMs = 90_000;

export interface MediaFetchOrder {
  url: string;
  /** The site that asks; orders of earlier versions lack it. */
  siteId?: string;
}

/** What lies in the object store now; the gateway puts it into the library. */
export interface FetchedFile {
  kind: 'image' | 'video' | 'file';
  filename: string;
  mime_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  work: 'variants' | 'avif' | 'video' | null;
}

/** One piece of waiting work. */
export interface MediaTask {
  id: string;
  work: 'variants' | 'avif' | 'video';
}

export interface MediaActivities {
  /** The next items of the site that wait, those to be made usable first; `none` when the site is gone. */
  planMedia(siteId: string): Promise<MediaTask[]>;
  /** Does one piece of work and writes what came of it. Fails only when an engine is away. */
  processMedia(task: MediaTask): Promise<void>;
  fetchMedia(order: MediaFetchOrder): Promise<FetchedFile>;
}
