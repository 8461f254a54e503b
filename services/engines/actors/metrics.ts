import { Counter, Gauge, Histogram } from 'prom-client';

export const callSeconds = new Histogram({
  name: 'fieldstone_activity_duration_seconds',
  help: 'Duration of attempts of actor calls.',
  labelNames: ['activity'],
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 120, 600],
});
export const callFailures = new Counter({
  name: 'fieldstone_activity_failures_total',
  help: 'Attempts of actor calls that failed because of an unavailable engine and are retried. Errors by authors do not count.',
  labelNames: ['activity'],
});

/** Reads the present state of the embedded runtime. */
interface EmbeddedState {
  actors?: () => number;
  calls?: () => Iterable<[queue: string, counts: { waiting: number; running: number }]>;
}

const embedded: EmbeddedState = {};

// with Temporal, these have no values: Temporal has its own metrics
new Gauge({
  name: 'fieldstone_embedded_actors',
  help: 'Actors that run in the worker. Only with the embedded runtime.',
  collect() {
    if (embedded.actors) this.set(embedded.actors());
    else this.remove();
  },
});
new Gauge({
  name: 'fieldstone_embedded_calls',
  help: 'Calls of actors in each queue, by state: running, or waiting for a place. Only with the embedded runtime.',
  labelNames: ['queue', 'state'],
  collect() {
    for (const [queue, { waiting, running }] of embedded.calls?.() ?? []) {
      this.set({ queue, state: 'waiting' }, waiting);
      this.set({ queue, state: 'running' }, running);
    }
  },
});

/** Makes the metrics of the embedded runtime read these values. */
export const showEmbedded = (state: EmbeddedState): void => void Object.assign(embedded, state);
