import type { processMedia } from './process/process.ts';

export type MediaProcessor = typeof processMedia;

/**
 * Loads the media processing of a worker. It is loaded here and not with the door, because only workers have its
 * metrics.
 */
export async function openMediaProcessor(): Promise<MediaProcessor> {
  const { processMedia } = await import('./process/process.ts');
  return processMedia;
}
