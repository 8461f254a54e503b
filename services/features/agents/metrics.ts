import { Counter } from 'prom-client';

const reuses = new Counter({
  name: 'fieldstone_agent_token_reuse_total',
  help: 'Codes and refresh tokens of agents that were used a second time, which revokes the grant.',
  labelNames: ['kind'],
});

export const countReuse = (kind: 'code' | 'refresh'): void => reuses.inc({ kind });
