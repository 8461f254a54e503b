import { Counter } from 'prom-client';

const limited = new Counter({
  name: 'fieldstone_rate_limited_total',
  help: 'Requests rejected with 429, by limit (client address or key; attempts to sign in by address or account; requests of agents) and source (memory or the database).',
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

const oauth = new Counter({
  name: 'fieldstone_oauth_requests_total',
  help: 'Requests of agents and their users to the authorization server, by endpoint and status.',
  labelNames: ['endpoint', 'status'],
});

export const countOAuth = (endpoint: 'authorize' | 'register' | 'token' | 'revoke', status: number): void =>
  oauth.inc({ endpoint, status });

const agentCalls = new Counter({
  name: 'fieldstone_agent_calls_total',
  help: 'Calls of tools by agents, by tool and result: ok, confirmation (asked for), error.',
  labelNames: ['tool', 'result'],
});

export const countAgentCall = (tool: string, result: 'ok' | 'confirmation' | 'error'): void =>
  agentCalls.inc({ tool, result });

export type LimitName =
  | 'ip'
  | 'key'
  | 'dashboard'
  | 'sign-in-ip'
  | 'sign-in-account'
  | 'token-ip'
  | 'token-account'
  | 'agent-registration'
  | 'mcp';

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
