import { readFile } from 'node:fs/promises';
import type { FileTask } from '../media-state.ts';
import type { MediaRow, Variant } from '../row.ts';
import type { ProcessDeps } from './deps.ts';
import type { ImageFile, ImageProgress } from './image-job.ts';
import { createProgressReporter, saveTask } from './sql.ts';
import { withOriginal } from './work-folder.ts';

/** Stores the renditions of one step, packed into few objects. */
async function storeImages({ app }: ProcessDeps, files: readonly ImageFile[]): Promise<Variant[]> {
  const places = await app.objects.putMany(await Promise.all(files.map(({ file }) => readFile(file))));
  return files.map(({ format, width, height }, index) => {
    const { hash, bytes } = places[index]!;
    return { format, width, height, bytes, hash };
  });
}

/** Runs one step of an image: the variants that make it usable, or the AVIF ones. Throws ImageFault, DecoderLost. */
export async function processImage(
  deps: ProcessDeps,
  task: FileTask,
  row: MediaRow,
  signal: AbortSignal,
): Promise<void> {
  const { app, images } = deps;
  const step = task.work === 'avif' ? 'avif' : 'variants';
  const maxPixels = app.config.mediaLimits.imagePixels;
  await withOriginal(app, row.sha256, signal, async (files) => {
    const reporter = createProgressReporter(app.db, task);
    const onProgress = (progress: ImageProgress) => reporter.report({ stage: step, ...progress });
    const result = await images.run({ ...files, step, maxPixels }, { signal, onProgress }).finally(reporter.settle);
    const { facts, files: made, placeholder } = result;
    const variants = await storeImages(deps, made);
    const { width, height } = facts;
    const next = step === 'variants' && result.left > 0 ? 'avif' : null;
    const all = step === 'avif' ? [...row.variants, ...variants] : variants;
    await saveTask(app, task, variants, {
      variants: all,
      width,
      height,
      placeholder,
      progress: { stage: next ?? 'done', done: all.length, total: all.length + result.left },
      next,
      status: 'ready',
    });
  });
}
