// A process of its own for decoding what strangers upload: it has no settings, no secrets and no connections, and may die.
import { rmSync } from 'node:fs';
import sharp from 'sharp';
import { type ImageJob, runImageJob } from './image-job.ts';

sharp.cache(false);
let folder: string | null = null;

process.on('message', (job: ImageJob) => {
  folder = job.folder;
  runImageJob(job).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ fault: error instanceof Error ? error.message : String(error) }),
  );
});

// the worker is gone: so is everybody who could use the results
process.on('disconnect', () => {
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
