import { type Problem, problem } from '../core/errors.ts';

/** What one request holds of the budget. */
export interface SenderHold {
  /** Says how many bytes are held now. Throws `unavailable` when there is no room for them. */
  hold(bytes: number): void;
  /** The bytes are trusted from now on: they do not yield to others any more. */
  keep(): void;
  /** Gives all of it up. Safe to call again. */
  release(): void;
}

export interface SenderBudget {
  /**
   * Opens the hold of a request of `owner`. `onYield` is called, with what the client shall be told, when its bytes have to
   * go in favour of others; the hold is released by then.
   */
  open(owner: string, onYield: (error: Problem) => void): SenderHold;
  /** The bytes held by all. */
  held(): number;
}

export interface SenderBudgetOptions {
  totalBytes: number;
  /** What the requests of one owner may hold together. */
  ownerBytes: number;
  /** In milliseconds; for tests. */
  now?: () => number;
}

interface Holder {
  owner: string;
  bytes: number;
  openedAt: number;
  isKept: boolean;
  yieldNow: () => void;
}

/** So long nobody is judged by the pace at which the bytes come. */
const graceMs = 2_000;

const noRoom = () =>
  problem('unavailable', 'Too many large requests are under way; try again shortly.', { retryAfterSeconds: 5 });

/**
 * Bounds the bytes of strangers that a process holds: in all, and for each owner, so that one owner's senders cannot use what the
 * others need. When it is full, whoever has sent slowest yields, so that bytes which dribble in keep out nobody who sends at once;
 * where nobody is slower, the one who asks is refused.
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

  /** Bytes a millisecond; of those who may not be judged, more than any other's. */
  function paceOf({ bytes, openedAt, isKept }: Holder): number {
    const age = now() - openedAt;
    return isKept || age < graceMs ? Number.POSITIVE_INFINITY : bytes / age;
  }

  /** Makes one that holds bytes yield, the slowest; false when none is slower than the one who asks. */
  function makeOneYield(asker: Holder, owner?: string): boolean {
    let slowest = asker;
    for (const holder of holders) {
      if (holder.bytes === 0 || (owner !== undefined && holder.owner !== owner)) continue;
      if (paceOf(holder) < paceOf(slowest)) slowest = holder;
    }
    if (slowest === asker) return false;
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
          while ((byOwner.get(owner) ?? 0) + more > ownerBytes) if (!makeOneYield(holder, owner)) throw noRoom();
          while (total + more > totalBytes) if (!makeOneYield(holder)) throw noRoom();
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
