// A process of its own for decoding what strangers upload: it has no settings, no secrets and no connections, and may die.
import sharp from 'sharp';
import { type ImageJob, runImageJob } from './image-job.ts';

sharp.cache(false);

process.on('message', (job: ImageJob) => {
  runImageJob(job, (progress) => process.send!({ progress })).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ fault: error instanceof Error ? error.message : String(error) }),
  );
});

// the worker is gone: so is everybody who could use the results
process.on('disconnect', () => process.exit(0));
