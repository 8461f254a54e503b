import { Counter, Histogram } from 'prom-client';

const outcomes = new Counter({
  name: 'fieldstone_deliveries_total',
  help: 'Attempts of deliveries by outcome: live, superseded, skipped, retried (failed, to be retried), failed (permanently).',
  labelNames: ['outcome'],
});
const liveSeconds = new Histogram({
  name: 'fieldstone_delivery_live_duration_seconds',
  help: 'Time from the receipt of a delivery until its change is live. Replays do not count.',
  buckets: [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 300, 1800],
});

export type DeliveryOutcome = 'live' | 'superseded' | 'skipped' | 'retried' | 'failed';

export const countDelivery = (outcome: DeliveryOutcome): void => outcomes.inc({ outcome });

/**
 * Counts a delivery that is live, and measures its duration; the duration of a replay depends on when it was requested,
 * so it is not measured.
 */
export function countLive(delivery: { received_at: Date; finished_at: Date; replayed: boolean }): void {
  countDelivery('live');
  const elapsedMs = delivery.finished_at.getTime() - delivery.received_at.getTime();
  if (!delivery.replayed) liveSeconds.observe(Math.max(0, elapsedMs) / 1000);
}
