import { type Problem, problem } from '../core/errors.ts';

/** One request's share of the budget. */
export interface SenderHold {
  /** Sets the number of bytes held. Throws `unavailable` when the budget has no room for them. */
  hold(bytes: number): void;
  /** Marks the bytes as trusted: they no longer yield to other requests. */
  keep(): void;
  /** Releases all bytes. Safe to call again. */
  release(): void;
}

export interface SenderBudget {
  /**
   * Opens the hold of a request of `owner`. `onYield` is called with the error for the client when the bytes must
   * yield to other requests; the hold is released before.
   */
  open(owner: string, onYield: (error: Problem) => void): SenderHold;
  /** Returns the number of bytes held by all requests. */
  held(): number;
}

export interface SenderBudgetOptions {
  totalBytes: number;
  /** Maximum number of bytes that the requests of one owner may hold together. */
  ownerBytes: number;
  /** Returns the time in milliseconds; for tests. */
  now?: () => number;
}

interface Holder {
  owner: string;
  bytes: number;
  openedAt: number;
  isKept: boolean;
  yieldNow: () => void;
}

/** Minimum age from which a holder's transfer rate counts. */
const graceMs = 2_000;

const noRoom = () =>
  problem('unavailable', 'Too many large requests are in progress; try again shortly.', { retryAfterSeconds: 5 });

/**
 * Bounds the untrusted bytes that a process holds, in total and for each owner, so that the senders of one owner cannot
 * use up the memory of the others. When the budget is full, the slowest sender yields, so that slow senders cannot keep
 * out fast ones; if no holder is slower, the new request is refused.
 */
export function createSenderBudget({
  totalBytes,
  ownerBytes,
  now = () => performance.now(),
}: SenderBudgetOptions): SenderBudget {
  const holders = new Set<Holder>();
  const byOwner = new Map<string, number>();
  let total = 0;

  function change(holder: Holder, bytes: number): void {
    const more = bytes - holder.bytes;
    holder.bytes = bytes;
    total += more;
    const own = (byOwner.get(holder.owner) ?? 0) + more;
    if (own > 0) byOwner.set(holder.owner, own);
    else byOwner.delete(holder.owner);
  }

  function release(holder: Holder): void {
    if (holders.delete(holder)) change(holder, 0);
  }

  /** Returns bytes per millisecond; infinity for a holder whose rate does not count. */
  function rateOf({ bytes, openedAt, isKept }: Holder): number {
    const age = now() - openedAt;
    return isKept || age < graceMs ? Number.POSITIVE_INFINITY : bytes / age;
  }

  /** Makes the slowest holder yield; returns false if no other is slower than the one that needs room. */
  function makeSlowestYield(requester: Holder, owner?: string): boolean {
    let slowest = requester;
    for (const holder of holders) {
      if (holder.bytes === 0 || (owner !== undefined && holder.owner !== owner)) continue;
      if (rateOf(holder) < rateOf(slowest)) slowest = holder;
    }
    if (slowest === requester) return false;
    release(slowest);
    slowest.yieldNow();
    return true;
  }

  return {
    open(owner, onYield) {
      const holder: Holder = { owner, bytes: 0, openedAt: now(), isKept: false, yieldNow: () => onYield(noRoom()) };
      holders.add(holder);
      return {
        hold(bytes) {
          if (!holders.has(holder)) throw noRoom();
          const more = bytes - holder.bytes;
          while ((byOwner.get(owner) ?? 0) + more > ownerBytes) if (!makeSlowestYield(holder, owner)) throw noRoom();
          while (total + more > totalBytes) if (!makeSlowestYield(holder)) throw noRoom();
          change(holder, bytes);
        },
        keep() {
          holder.isKept = true;
        },
        release: () => release(holder),
      };
    },
    held: () => total,
  };
}
