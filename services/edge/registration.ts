import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../core/db.ts';
import { edgeLeaseMs, edgeRenewalMs } from '../core/edge-freshness.ts';
import type { Logger } from '../core/log.ts';
import { registerEdge, removeEdge, removeExpiredEdges } from '../engines/edges/registry.ts';
import type { PointerAges } from './pointers.ts';

interface RegistrationDeps {
  db: Db;
  ages: Pick<PointerAges, 'renewed'>;
  log: Pick<Logger, 'warn'>;
  /** The id and the URL of the push port of this process. */
  edge: { id: string; url: string };
  leaseMs?: number;
  renewalMs?: number;
}

export const newEdgeId = (): string => randomUUID();

/**
 * Registers the edge, so that processes which swap releases tell it, and renews its lease until `stop`. The first
 * attempt ends before this resolves. While the registry cannot be written, the edge reads before it serves.
 */
export async function keepRegistered(deps: RegistrationDeps): Promise<{ stop(): Promise<void> }> {
  const { db, ages, log, edge, leaseMs = edgeLeaseMs, renewalMs = edgeRenewalMs } = deps;
  const stopping = new AbortController();
  let failing = false;
  let first = true;

  async function renew(): Promise<void> {
    const startedAt = performance.now();
    try {
      await registerEdge(db, edge, leaseMs);
      ages.renewed(startedAt, performance.now());
      failing = false;
      if (first) await removeExpiredEdges(db);
      first = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'The edge could not be registered; it reads before it serves.');
      failing = true;
    }
  }

  async function keepRenewing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(renewalMs, undefined, { signal: stopping.signal }).catch(() => undefined); // stopped: the loop ends
      if (!stopping.signal.aborted) await renew();
    }
  }

  await renew();
  const renewing = keepRenewing();
  return {
    async stop() {
      stopping.abort();
      await renewing;
      // if it stays, the row expires
      await removeEdge(db, edge.id).catch((error: unknown) => log.warn({ err: error }, 'The edge stays registered.'));
    },
  };
}
