import { LRUCache } from 'lru-cache';

/** What the edge knows about the age of its pointers. All times are of the monotonic clock, in milliseconds. */
export interface PointerAges {
  /** The lease was renewed by a statement that began at `startedAtMs` and whose reply came at `committedAtMs`. */
  renewed(startedAtMs: number, committedAtMs: number): void;
  /** A push said that the site's release was swapped. */
  swapped(siteId: string): void;
  /**
   * A pointer may be served from the cache if its read began at this time or later: after the edge was registered;
   * without a valid lease not at all, because then this edge receives no pushes.
   */
  usableSince(): number;
  /** A pointer of this site is known to be wrong if its read began earlier. */
  replacedAt(siteId: string): number;
  /** The time of the last push. A read that began earlier may have found any pointer of before. */
  lastPushAt(): number;
}

const maxRememberedSites = 10_000;

/** Creates the record of one edge's lease and of the pushes that it received. `now`: the monotonic clock. */
export function createPointerAges(leaseMs: number, now: () => number = () => performance.now()): PointerAges {
  const swaps = new LRUCache<string, number>({ max: maxRememberedSites });
  let leasedFromMs = Number.POSITIVE_INFINITY;
  let leasedUntilMs = Number.NEGATIVE_INFINITY;
  let lastPushMs = Number.NEGATIVE_INFINITY;
  return {
    renewed(startedAtMs, committedAtMs) {
      // after a gap, swaps may have been missed: only reads from now on see them
      if (committedAtMs >= leasedUntilMs) leasedFromMs = committedAtMs;
      leasedUntilMs = startedAtMs + leaseMs;
    },
    swapped(siteId) {
      lastPushMs = now();
      swaps.set(siteId, lastPushMs);
    },
    usableSince: () => (now() < leasedUntilMs ? leasedFromMs : Number.POSITIVE_INFINITY),
    replacedAt: (siteId) => swaps.get(siteId) ?? Number.NEGATIVE_INFINITY,
    lastPushAt: () => lastPushMs,
  };
}
