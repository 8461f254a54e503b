import type { MediaTask } from '../../../../workflows/contracts/media.ts';
import { Problem } from '../../../core/errors.ts';
import { failWork } from '../media-state.ts';
import type { ProcessDeps } from './deps.ts';
import { FfmpegFailed, FfmpegTooSlow } from './ffmpeg.ts';
import { DecoderLost, ImageFault } from './image-process.ts';
import { countMediaWork } from './metrics.ts';
import { processImage } from './process-image.ts';
import { processVideo } from './process-video.ts';
import { selectTask } from './sql.ts';

export interface Attempt {
  /** Ends the work when the worker stops or the item is purged. */
  signal: AbortSignal;
  /** From 1; a file that keeps killing its process is given up after a few. */
  number: number;
}

const maxAttempts = 3;
const sentences = {
  brokenImage: 'The image is broken or not of the kind that its first bytes say.',
  brokenVideo: 'The video is broken or of a kind that cannot be converted.',
  tooMuch: 'The file could not be processed within the limits of time and memory.',
  defect: 'The file could not be processed.',
};

/** What to tell the user when the file is to blame; null when an engine is, and the work is to be tried again. */
function faultOf(error: unknown, { signal, number }: Attempt): string | null {
  if (signal.aborted || error instanceof Problem) return null;
  if (error instanceof ImageFault) return sentences.brokenImage;
  if (error instanceof FfmpegFailed) return sentences.brokenVideo;
  if (error instanceof FfmpegTooSlow) return sentences.tooMuch;
  if (number < maxAttempts) return null;
  return error instanceof DecoderLost ? sentences.tooMuch : sentences.defect;
}

/**
 * Does one piece of work on an item, as often as it takes: what was done before a crash is found stored. A file that
 * cannot be processed ends as `failed` with a reason. Throws when an engine is away, or the attempt is to be repeated.
 */
export async function processMedia(deps: ProcessDeps, task: MediaTask, attempt: Attempt): Promise<void> {
  const { db, log } = deps.app;
  const row = await selectTask(db, task);
  if (!row) return;
  const process = task.work === 'video' ? processVideo : processImage;
  const startedAt = performance.now();
  const count = (result: 'done' | 'failed' | 'retried') =>
    countMediaWork(task.work, result, performance.now() - startedAt);
  try {
    await process(deps, task, row, attempt.signal);
    count('done');
  } catch (error) {
    const fault = faultOf(error, attempt);
    count(fault === null ? 'retried' : 'failed');
    if (fault === null) throw error;
    log.warn({ err: error, media: task.id }, 'a media item could not be processed');
    await failWork(db, task, fault);
  }
}
