import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MediaTask } from '../../../../workflows/contracts/media.ts';
import { Problem } from '../../../core/errors.ts';
import type { App } from '../../app.ts';
import type { MediaRow, Variant } from '../row.ts';
import { DecoderLost, ImageFault, type ImageProcesses } from './image-process.ts';
import { failTask, finishTask, selectTask } from './sql.ts';

export interface ProcessDeps {
  app: Pick<App, 'db' | 'objects' | 'config' | 'log'>;
  images: ImageProcesses;
}

export interface Attempt {
  /** Ends the work when the worker stops or the item is purged. */
  signal: AbortSignal;
  /** From 1; a file that keeps killing its process is given up after a few. */
  number: number;
}

const maxAttempts = 3;
const brokenImage = 'The image is broken or not of the kind that its first bytes say.';
const deadlyImage = 'The image could not be decoded within the limits of time and memory.';
const deadlyFile = 'The file could not be processed.';

/** Hands a folder that is gone afterwards, whatever happens. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldstone-media-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function download({ objects }: Pick<App, 'objects'>, hash: string, file: string): Promise<void> {
  await pipeline(await objects.getStream(hash), createWriteStream(file));
}

/** Stores the files of a step, in memory one at a time no longer than it takes. */
async function storeVariants(
  { objects }: Pick<App, 'objects'>,
  files: readonly { format: string; width: number; height: number; file: string }[],
): Promise<Variant[]> {
  const blobs = await Promise.all(files.map(({ file }) => readFile(file)));
  const places = await objects.putMany(blobs);
  return files.map(({ format, width, height }, index) => {
    const { hash, bytes } = places[index]!;
    return { format, width, height, bytes, hash };
  });
}

async function processImage(deps: ProcessDeps, task: MediaTask, row: MediaRow, signal: AbortSignal): Promise<void> {
  const { app, images } = deps;
  const step = task.work === 'avif' ? 'avif' : 'variants';
  await inFolder(async (folder) => {
    const input = path.join(folder, 'original');
    const output = path.join(folder, 'out');
    await mkdir(output);
    await download(app, row.sha256, input);
    const maxPixels = app.config.mediaLimits.imagePixels;
    const { facts, files, placeholder } = await images.run({ input, folder: output, step, maxPixels }, signal);
    const made = await storeVariants(app, files);
    const variants = step === 'avif' ? [...row.variants, ...made] : made;
    const next = step === 'variants' && made.length > 0 && facts.frames === 1 ? 'avif' : null;
    await app.db.transaction(async (tx) => {
      await app.objects.pin(
        tx,
        made.map(({ hash }) => hash),
      );
      await finishTask(tx, task, {
        variants,
        width: facts.width,
        height: facts.height,
        duration: null,
        placeholder,
        next,
      });
    });
  });
}

/** What to tell the user when the file is to blame; null when an engine is, and the work is to be tried again. */
function faultOf(error: unknown, { signal, number }: Attempt): string | null {
  if (signal.aborted || error instanceof Problem) return null;
  if (error instanceof ImageFault) return brokenImage;
  if (number < maxAttempts) return null;
  return error instanceof DecoderLost ? deadlyImage : deadlyFile;
}

/**
 * Does one piece of work on an item, as often as it takes: what was done before a crash is found stored. A file that
 * cannot be processed ends as `failed` with a reason. Throws when an engine is away, or the attempt is to be repeated.
 */
export async function processMedia(deps: ProcessDeps, task: MediaTask, attempt: Attempt): Promise<void> {
  const { db, log } = deps.app;
  const row = await selectTask(db, task);
  if (!row) return;
  try {
    await processImage(deps, task, row, attempt.signal);
  } catch (error) {
    const fault = faultOf(error, attempt);
    if (fault === null) throw error;
    log.warn({ err: error, media: task.id }, 'a media item could not be processed');
    await failTask(db, task, fault);
  }
}
