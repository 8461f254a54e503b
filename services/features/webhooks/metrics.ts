import { Counter, Histogram } from 'prom-client';

const outcomes = new Counter({
  name: 'fieldstone_deliveries_total',
  help: 'Attempts of deliveries by outcome: live, superseded, skipped, retried (failed, tried again), failed (for good).',
  labelNames: ['outcome'],
});
const liveSeconds = new Histogram({
  name: 'fieldstone_delivery_live_duration_seconds',
  help: 'From the receipt of a delivery until what it says is live.',
  buckets: [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 300, 1800],
});

export type DeliveryOutcome = 'live' | 'superseded' | 'skipped' | 'retried' | 'failed';

export const countDelivery = (outcome: DeliveryOutcome): void => outcomes.inc({ outcome });

/** Counts a delivery that is live. */
export function countLive(receivedAt: Date, liveAt: Date): void {
  countDelivery('live');
  liveSeconds.observe(Math.max(0, liveAt.getTime() - receivedAt.getTime()) / 1000);
}
