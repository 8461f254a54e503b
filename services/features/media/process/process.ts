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
  /** Aborted when the worker stops or the item is purged. */
  signal: AbortSignal;
  /** From 1; a file that repeatedly crashes its process is given up after `maxAttempts`. */
  number: number;
}

const maxAttempts = 3;
const messages = {
  brokenImage: 'The image is damaged or not of the type that its first bytes indicate.',
  brokenVideo: 'The video is damaged or of a type that cannot be converted.',
  tooMuch: 'The file could not be processed within the limits of time and memory.',
  defect: 'The file could not be processed.',
};

/**
 * Returns the message for the user when the file caused the error; null when an engine did, and the work is retried.
 */
function faultOf(error: unknown, { signal, number }: Attempt): string | null {
  if (signal.aborted || error instanceof Problem) return null;
  if (error instanceof ImageFault) return messages.brokenImage;
  if (error instanceof FfmpegFailed) return messages.brokenVideo;
  if (error instanceof FfmpegTooSlow) return messages.tooMuch;
  if (number < maxAttempts) return null;
  return error instanceof DecoderLost ? messages.tooMuch : messages.defect;
}

/**
 * Does one piece of work on an item. It can be repeated: results stored before a crash are found. A file that cannot be
 * processed ends as `failed` with a reason. Throws when an engine is unavailable or the attempt must be repeated.
 */
export async function processMedia(deps: ProcessDeps, task: MediaTask, attempt: Attempt): Promise<void> {
  const { db, log } = deps.app;
  const row = await selectTask(db, task);
  if (!row) return;
  const fileTask = { ...task, sha256: row.sha256 };
  const process = task.work === 'video' ? processVideo : processImage;
  const startedAt = performance.now();
  const count = (result: 'done' | 'failed' | 'retried') =>
    countMediaWork(task.work, result, performance.now() - startedAt);
  try {
    await process(deps, fileTask, row, attempt.signal);
    count('done');
  } catch (error) {
    const fault = faultOf(error, attempt);
    count(fault === null ? 'retried' : 'failed');
    if (fault === null) throw error;
    log.warn({ err: error, media: task.id }, 'a media item could not be processed');
    await failWork(db, fileTask, fault);
  }
}
