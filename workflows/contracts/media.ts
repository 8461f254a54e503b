/** Names and payloads of media work. Imports nothing. */

export const mediaActorType = 'mediaActor';

/** Identifies the only actor of a site's library: it makes the variants that SQL lists as waiting. */
export function mediaActor(siteId: string): { type: string; id: string; args: [string] } {
  return { type: mediaActorType, id: `media:${siteId}`, args: [siteId] };
}

/** Fetches a URL for the gateway, which never fetches from outside. */
export const mediaFetchType = 'mediaFetch';
export const mediaFetchTimeoutMs = 90_000;

export interface MediaFetchInput {
  url: string;
  /** The requesting site; absent in inputs of earlier versions. */
  siteId?: string;
}

/** A file stored in the object store; the gateway adds it to the library. */
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
  /**
   * Returns the next waiting items of the site, most urgent first: those that make an item usable. Empty when the site
   * was deleted.
   */
  planMedia(siteId: string): Promise<MediaTask[]>;
  /** Does one piece of work and stores its outcome. Fails only when an engine is unavailable. */
  processMedia(task: MediaTask): Promise<void>;
  fetchMedia(input: MediaFetchInput): Promise<FetchedFile>;
}
