import { Histogram } from 'prom-client';

const seconds = new Histogram({
  name: 'fieldstone_media_duration_seconds',
  help: 'Duration of media work by result: done, failed because of the file, retried.',
  labelNames: ['work', 'result'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600, 3600],
});

/** Measures one piece of work on a media item. */
export function countMediaWork(work: string, result: 'done' | 'failed' | 'retried', elapsedMs: number): void {
  seconds.observe({ work, result }, elapsedMs / 1000);
}
