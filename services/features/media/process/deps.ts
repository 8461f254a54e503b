import type { App } from '../../app.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import type { ImageProcesses } from './image-process.ts';

/** What work on media needs. */
export interface ProcessDeps {
  app: Pick<App, 'db' | 'objects' | 'config' | 'log'>;
  images: ImageProcesses;
  /** Null: videos are kept as they are. */
  ffmpeg: Ffmpeg | null;
}
