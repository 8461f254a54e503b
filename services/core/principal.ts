import { AsyncLocalStorage } from 'node:async_hooks';

/** The channels through which a change can be made. */
export const channels = ['key', 'dashboard', 'agent', 'cli', 'webhook', 'scheduler'] as const;
export type Channel = (typeof channels)[number];

/** The user, key, integration or agent that makes a change, for the audit log. */
export interface Principal {
  via: Channel;
  userId?: string | null;
  keyId?: string | null;
  integrationId?: string | null;
  /** The grant of an agent. */
  agent?: { id: string; name: string } | null;
}

const storage = new AsyncLocalStorage<Principal>();

/** Runs `work` on behalf of a principal. */
export function withPrincipal<T>(principal: Principal, work: () => T): T {
  return storage.run(principal, work);
}

/** Returns the principal of the current `withPrincipal`; outside of one, the operator at the command line. */
export function currentPrincipal(): Principal {
  return storage.getStore() ?? { via: 'cli' };
}
