import type { GuardedFetcher } from '../../services/engines/fetch/fetcher.ts';
import type { WorkerApp } from '../../services/features/app.ts';
import type { Ffmpeg, ImageProcesses, MediaProcessor } from '../../services/features/media/index.ts';
import type { Builder } from '../../services/features/publishing/index.ts';

/** Dependencies of the activities. */
export interface ActivityDeps {
  app: WorkerApp;
  builder: Builder;
  /** The only way to fetch URLs that users supply. */
  fetcher: GuardedFetcher;
  processMedia: MediaProcessor;
  images: ImageProcesses;
  ffmpeg: Ffmpeg | null;
}
