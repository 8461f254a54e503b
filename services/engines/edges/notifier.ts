import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Histogram } from 'prom-client';
import type { Db } from '../../core/db.ts';
import { visibleOnEdgesMs } from '../../core/edge-freshness.ts';
import type { Logger } from '../../core/log.ts';
import { confirmationHeader, createPush, isConfirmation, signatureHeader, swapPushPath } from '../../core/swap-push.ts';
import { listEdges, type RegisteredEdge } from './registry.ts';

/** Notifies edges of swaps. */
export interface EdgeNotifier {
  /**
   * Notifies the edges; call it after the swap has committed. Resolves when no edge serves the earlier release any
   * more: when every registered edge has confirmed, or when what a silent edge has in its cache is too old to be
   * served. Never rejects.
   */
  siteSwapped(siteId: string): Promise<void>;
}

interface NotifierDeps {
  db: Db;
  secretKeys: readonly Buffer[];
  log: Pick<Logger, 'warn'>;
  /** After this time in milliseconds an edge serves nothing from before the swap, even if it was not told. */
  silentMs?: number;
}

const pauseMs = 50;

const pushes = new Counter({
  name: 'fieldstone_edge_pushes_total',
  help: 'Pushes of swaps to edges, by result: confirmed, or silent when the edge did not confirm in time.',
  labelNames: ['result'],
});
const pushSeconds = new Histogram({
  name: 'fieldstone_edge_push_duration_seconds',
  help: 'Time until an edge confirmed a swap. A publish waits for the slowest edge.',
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
});

/** Creates the notifier of a process that swaps releases. */
export function createEdgeNotifier({ db, secretKeys, log, silentMs = visibleOnEdgesMs }: NotifierDeps): EdgeNotifier {
  async function push(edge: RegisteredEdge, siteId: string, signal: AbortSignal): Promise<void> {
    const { body, signature } = createPush(secretKeys, { edgeId: edge.id, siteId });
    const headers = { [signatureHeader]: signature, 'Content-Type': 'text/plain' };
    const response = await fetch(edge.url + swapPushPath, { method: 'POST', body, headers, signal, redirect: 'error' });
    await response.body?.cancel();
    if (!isConfirmation(secretKeys, body, response.headers.get(confirmationHeader) ?? ''))
      throw new Error(`The edge at ${edge.url} replied with status ${response.status} and did not confirm.`);
  }

  /** Pushes until the edge confirms or the signal aborts; returns the last failure, or undefined when confirmed. */
  async function pushUntilConfirmed(edge: RegisteredEdge, siteId: string, signal: AbortSignal): Promise<unknown> {
    let failure: unknown = new Error('The edge did not reply in time.');
    while (!signal.aborted) {
      try {
        await push(edge, siteId, signal);
        return undefined;
      } catch (error) {
        if (!signal.aborted) failure = error;
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined); // aborted: the loop ends
    }
    return failure;
  }

  async function tell(edge: RegisteredEdge, siteId: string, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const failure = await pushUntilConfirmed(edge, siteId, signal);
    pushes.inc({ result: failure === undefined ? 'confirmed' : 'silent' });
    if (failure === undefined) pushSeconds.observe((performance.now() - startedAt) / 1000);
    if (failure !== undefined)
      log.warn({ err: failure, edge: edge.url, site_id: siteId }, 'an edge did not confirm a swap');
  }

  return {
    async siteSwapped(siteId) {
      const startedAt = performance.now();
      const signal = AbortSignal.timeout(silentMs);
      const edges = await listEdges(db).catch((error: unknown) => {
        log.warn({ err: error, site_id: siteId }, 'the edges to be told of a swap could not be read');
        return [];
      });
      // edges of an earlier version do not register: without a row, there may still be one
      if (edges.length === 0) return sleep(silentMs - (performance.now() - startedAt));
      await Promise.all(edges.map((edge) => tell(edge, siteId, signal)));
    },
  };
}
