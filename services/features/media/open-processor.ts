import type { processMedia } from './process/process.ts';

export type MediaProcessor = typeof processMedia;

/** Makes what a worker processes media with. It is loaded here and not with the door: its metrics are those of workers alone. */
export async function openMediaProcessor(): Promise<MediaProcessor> {
  const { processMedia } = await import('./process/process.ts');
  return processMedia;
}
