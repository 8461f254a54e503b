import { Counter } from 'prom-client';

const outcomes = new Counter({
  name: 'fieldstone_events_total',
  help: 'Attempts to send events by outcome: delivered, retried (failed, to be retried), failed (permanently).',
  labelNames: ['outcome'],
});

export const countEvent = (outcome: 'delivered' | 'retried' | 'failed'): void => outcomes.inc({ outcome });
