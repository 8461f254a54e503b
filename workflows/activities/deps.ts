import type { GuardedFetcher } from '../../services/engines/fetch/fetcher.ts';
import type { WorkerApp } from '../../services/features/app.ts';
import type { Ffmpeg, ImageProcesses, MediaProcessor } from '../../services/features/media/index.ts';
import type { Builder } from '../../services/features/publishing/index.ts';

/** What activities are made of. */
export interface ActivityDeps {
  app: WorkerApp;
  builder: Builder;
  /** The one way out to addresses that users name. */
  fetcher: GuardedFetcher;
  processMedia: MediaProcessor;
  images: ImageProcesses;
  ffmpeg: Ffmpeg | null;
}
