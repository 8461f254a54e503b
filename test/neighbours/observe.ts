import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantWork } from './tenant-work.ts';
import type { Modest } from './tenants.ts';

/** The observations of a tenant: how long each kind of work took, in milliseconds, and every failure. */
export interface Observations {
  item: number[];
  list: number[];
  page: number[];
  /** From the scheduled time of an item until every edge serves it. */
  live: number[];
  publishes: number[];
  deliveries: number[];
  imports: number[];
  factChecks: number[];
  creates: number[];
  failures: string[];
}

const second = 1000;
const readEveryMs = 200;

/**
 * Runs a tenant that reads, schedules, publishes, receives, imports and checks, each at its own interval, until `stop`.
 */
export function observeWork(work: TenantWork, { item, integration }: Modest) {
  const seen: Observations = {
    item: [],
    list: [],
    page: [],
    live: [],
    publishes: [],
    deliveries: [],
    imports: [],
    factChecks: [],
    creates: [],
    failures: [],
  };
  const stopping = new AbortController();

  async function repeat(
    kind: Exclude<keyof Observations, 'failures'>,
    everyMs: number,
    run: () => Promise<unknown>,
  ): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        const result = await run();
        seen[kind].push(kind === 'live' ? (result as number) : performance.now() - startedAt);
      } catch (error) {
        seen.failures.push(`${kind}: ${(error as Error).message}`);
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const working = Promise.all([
    repeat('item', readEveryMs, () => work.readItem(item.id)),
    repeat('list', readEveryMs, work.readList),
    repeat('page', readEveryMs, () => work.readPage(item.slug)),
    repeat('live', 2 * second, work.schedule),
    repeat('publishes', 5 * second, work.publish),
    repeat('deliveries', 3 * second, () => work.receive(integration)),
    repeat('imports', 3 * second, work.importPicture),
    repeat('factChecks', 3 * second, work.checkFacts),
    repeat('creates', second, work.create),
  ]);
  return {
    /** Finishes running work, and resolves to the observations. */
    async stop(): Promise<Observations> {
      stopping.abort();
      await working;
      return seen;
    },
  };
}
