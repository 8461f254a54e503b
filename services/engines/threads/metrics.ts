import { Gauge, Histogram } from 'prom-client';

const seconds = new Histogram({
  name: 'fieldstone_thread_work_duration_seconds',
  help: 'Duration of work on large texts in threads, without waiting.',
  labelNames: ['work'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
});

const queues = new Set<{ waiting(): number }>();

new Gauge({
  name: 'fieldstone_thread_work_waiting',
  help: 'Pieces of such work that wait for a thread; above 64, more are rejected with 503.',
  collect() {
    this.set([...queues].reduce((sum, queue) => sum + queue.waiting(), 0));
  },
});

/** Counts a piece of work that has ended, successfully or not. */
export const countWork = (work: string, elapsedMs: number): void => seconds.observe({ work }, elapsedMs / 1000);

/** Reports how much work waits in a queue, until `forget` is called. */
export function watchQueue(queue: { waiting(): number }): { forget(): void } {
  queues.add(queue);
  return { forget: () => void queues.delete(queue) };
}
