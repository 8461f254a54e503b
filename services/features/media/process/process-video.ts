import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FileTask } from '../media-state.ts';
import type { MediaRow, Variant } from '../row.ts';
import type { ProcessDeps } from './deps.ts';
import { saveTask } from './sql.ts';
import { makePoster, makeRenditions, probeVideo, type VideoFile } from './video.ts';
import { planRenditions } from './video-plan.ts';
import { withOriginal } from './work-folder.ts';

async function storeVideo({ app }: ProcessDeps, { format, width, height, file }: VideoFile): Promise<Variant> {
  const { size } = await stat(file);
  const { hash, bytes } = await app.objects.putStream(createReadStream(file), { maxBytes: size, minBytes: size });
  return { format, width, height, bytes, hash };
}

/**
 * Processes a video: size and duration, a poster, and the renditions. Each is saved as soon as it is made, so that a
 * crash costs only one. Without ffmpeg, the video is ready unchanged. Throws FfmpegFailed, FfmpegTooSlow.
 */
export async function processVideo(
  deps: ProcessDeps,
  task: FileTask,
  row: MediaRow,
  signal: AbortSignal,
): Promise<void> {
  const { app, ffmpeg } = deps;
  if (!ffmpeg) {
    app.log.warn({ media: row.id }, 'ffmpeg was not found (FIELDSTONE_FFMPEG or PATH): the video is not converted');
    const progress = { stage: 'done', done: 0, total: 0 } as const;
    await saveTask(app, task, [], { variants: row.variants, progress, next: null, status: 'ready' });
    return;
  }
  await withOriginal(app, row.sha256, signal, async (files) => {
    const job = { ...files, tools: ffmpeg, signal };
    const facts = await probeVideo(job);
    let variants = row.variants;
    const total = 1 + planRenditions(facts).length;
    const save = async (file: VideoFile) => {
      const variant = await storeVideo(deps, file);
      variants = [...variants, variant];
      const progress = { stage: 'video', done: variants.length, total } as const;
      await saveTask(app, task, [variant], { ...facts, variants, progress, next: 'video', status: 'processing' });
    };
    if (!variants.some(({ format }) => format === 'jpeg')) await save(await makePoster(job, facts));
    for await (const file of makeRenditions(job, facts, variants)) await save(file);
    const progress = { stage: 'done', done: total, total } as const;
    await saveTask(app, task, [], { ...facts, variants, progress, next: null, status: 'ready' });
  });
}
