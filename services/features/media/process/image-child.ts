// Decodes untrusted uploads in a separate process: it has no settings, no secrets and no connections, and may crash.
import sharp from 'sharp';
import { type ImageJob, runImageJob } from './image-job.ts';

sharp.cache(false);

process.on('message', (job: ImageJob) => {
  runImageJob(job, (progress) => process.send!({ progress })).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ fault: error instanceof Error ? error.message : String(error) }),
  );
});

// the worker has exited, so nothing can use the results
process.on('disconnect', () => process.exit(0));
