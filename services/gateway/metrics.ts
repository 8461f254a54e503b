import { Counter } from 'prom-client';

const limited = new Counter({
  name: 'fieldstone_rate_limited_total',
  help: 'Requests rejected with 429, by limit (client address or key; attempts to sign in by address or account) and source (memory or the database).',
  labelNames: ['limit', 'source'],
});
const idempotent = new Counter({
  name: 'fieldstone_idempotency_total',
  help: 'Requests with an Idempotency-Key: first with its key, replayed, rejected while the first runs, or rejected for another body.',
  labelNames: ['result'],
});
const received = new Counter({
  name: 'fieldstone_webhook_requests_total',
  help: 'Inbound webhooks by result.',
  labelNames: ['result'],
});

export type LimitName = 'ip' | 'key' | 'dashboard' | 'sign-in-ip' | 'sign-in-account';

export const countLimited = (limit: LimitName, source: 'memory' | 'store'): void => limited.inc({ limit, source });

export const countIdempotent = (result: 'first' | 'replayed' | 'in_flight' | 'other_body'): void =>
  idempotent.inc({ result });

const webhookResults: Record<number, string> = {
  200: 'duplicate',
  202: 'recorded',
  400: 'no_delivery_id',
  401: 'not_signed',
  404: 'unknown',
  413: 'too_large',
  503: 'unavailable',
};

/** Counts an inbound webhook by the status of its reply. */
export const countWebhook = (status: number): void => received.inc({ result: webhookResults[status] ?? 'other' });
