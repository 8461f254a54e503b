import { LRUCache } from 'lru-cache';

/**
 * Processor time in milliseconds that a site may use for rendering as a light one. Used time decays at `forgivenPart`
 * of elapsed time. Elapsed time is not counted, because it depends on other load of the machine.
 */
export const lightShareMs = 3_000;
const forgivenPart = 0.05;
const maxSites = 10_000;

interface Use {
  usedMs: number;
  atMs: number;
}

/** Creates a record of how much rendering each site has used recently. */
export function createSiteUse(now: () => number = () => performance.now()) {
  const sites = new LRUCache<string, Use>({ max: maxSites });

  function usedBy(siteId: string): number {
    const use = sites.get(siteId);
    return use ? Math.max(0, use.usedMs - (now() - use.atMs) * forgivenPart) : 0;
  }
  return {
    add: (siteId: string, ms: number) => void sites.set(siteId, { usedMs: usedBy(siteId) + ms, atMs: now() }),
    isHeavy: (siteId: string) => usedBy(siteId) >= lightShareMs,
  };
}

export type SiteUse = ReturnType<typeof createSiteUse>;
