import { AsyncLocalStorage } from 'node:async_hooks';

/** Through what a change came. */
export const channels = ['key', 'dashboard', 'agent', 'cli', 'webhook', 'scheduler'] as const;
export type Channel = (typeof channels)[number];

/** On whose behalf work is done, for the audit log. */
export interface Principal {
  via: Channel;
  userId?: string | null;
  keyId?: string | null;
  integrationId?: string | null;
}

const storage = new AsyncLocalStorage<Principal>();

/** Runs `work` on behalf of a principal. */
export function withPrincipal<T>(principal: Principal, work: () => T): T {
  return storage.run(principal, work);
}

/** The principal of the work under way. Outside of requests it is the operator at the command line. */
export function currentPrincipal(): Principal {
  return storage.getStore() ?? { via: 'cli' };
}
