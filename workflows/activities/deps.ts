import type { GuardedFetcher } from '../../services/engines/fetch/fetcher.ts';
import type { WorkerApp } from '../../services/features/app.ts';
import type { Ffmpeg } from '../../services/features/media/process/ffmpeg.ts';
import type { ImageProcesses } from '../../services/features/media/process/image-process.ts';
import type { Builder } from '../../services/features/publishing/builder.ts';

/** What activities are made of. */
export interface ActivityDeps {
  app: WorkerApp;
  builder: Builder;
  /** The one way out to addresses that users name. */
  fetcher: GuardedFetcher;
  images: ImageProcesses;
  ffmpeg: Ffmpeg | null;
}
