import { setTimeout as sleep } from 'node:timers/promises';
import { stack } from '../harness/api.ts';
import { amounts, lostMs } from './amounts.ts';
import type { FloodReport } from './flood/input.ts';
import { type Observations, observeWork } from './observe.ts';
import { startFlood } from './start-flood.ts';
import { createTenantWork, type QuickSources, type TenantWork } from './tenant-work.ts';
import { type Greedy, makeGreedy, makeModest } from './tenants.ts';
import { type ProcessWatch, watchProcesses } from './watch-processes.ts';

const quietMs = 6_000;

export interface Measured {
  greedy: Greedy;
  /** The modest tenant alone, and concurrently with the greedy one. */
  alone: Observations;
  beside: Observations;
  /** Requests of the modest tenant, and the number that got 503. */
  counts: TenantWork['counts'];
  flood: FloodReport;
  /** Continues until it is stopped. */
  watch: ProcessWatch;
}

/** Lets a modest tenant work alone, then concurrently with a greedy one. */
export async function measure(slowPort: number, sources: QuickSources): Promise<Measured> {
  const modest = await makeModest();
  const work = createTenantWork(modest.site, sources, lostMs);
  const quiet = observeWork(work, modest);
  await sleep(quietMs);
  const alone = await quiet.stop();

  const greedy = await makeGreedy(slowPort);
  const watch = await watchProcesses();
  const flood = await startFlood({
    gateways: stack.gateways,
    sourcePort: slowPort,
    key: greedy.site.key,
    slug: greedy.site.slug,
    factChecks: greedy.factChecks,
    integrations: greedy.integrations.map(({ slug, secret }) => ({ slug, secret })),
    slowSites: greedy.slowSites.map(({ slug }) => slug),
    crashingSites: greedy.crashingSites.map(({ slug }) => slug),
    amounts,
  });
  const loud = observeWork(work, modest);
  await sleep(amounts.floodMs);
  const beside = await loud.stop();
  const report = await flood.stop();
  return { greedy, alone, beside, counts: work.counts, flood: report, watch };
}
