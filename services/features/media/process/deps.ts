import type { App } from '../../app.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import type { ImageProcesses } from './image-process.ts';

/** Dependencies of media processing. */
export interface ProcessDeps {
  app: Pick<App, 'db' | 'objects' | 'config' | 'log'>;
  images: ImageProcesses;
  /** Null: videos are not converted. */
  ffmpeg: Ffmpeg | null;
}
