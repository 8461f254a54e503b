import { problem } from './errors.ts';

export interface ByteBudgetOptions {
  /** Maximum bytes of all holders together. */
  totalBytes: number;
  /** Maximum bytes of all holds of one owner, so that one owner cannot block all others. */
  ownerBytes: number;
}

/** The memory that one piece of work may use, in bytes. It holds nothing until the first `hold` resolves. */
export interface ByteHold {
  /**
   * Holds this many bytes instead of the previous number; at most an owner's share counts. The previous bytes are
   * released before the wait, so that no two holders wait for each other. Requests are served in order of arrival.
   * Throws `bad_request` after `release`.
   */
  hold(bytes: number): Promise<void>;
  /** Releases all but this many bytes, at once. Never waits. */
  shrink(bytes: number): void;
  /** Releases everything; rejects a waiting `hold`. */
  release(): void;
}

export interface ByteBudget {
  open(owner: string): ByteHold;
  /** Returns the bytes held and the number of waiting holds. For tests and metrics. */
  state(): { heldBytes: number; waiting: number };
}

interface Waiter {
  owner: string;
  bytes: number;
  grant(): void;
}

/**
 * Creates a budget of bytes that the requests of a process share. A request beyond it waits, in order of arrival;
 * requests of other owners overtake only those of an owner whose share is used up. Waiting takes no memory but the
 * request's own.
 */
export function createByteBudget({ totalBytes, ownerBytes }: ByteBudgetOptions): ByteBudget {
  let heldBytes = 0;
  const heldBy = new Map<string, number>();
  const waiting = new Set<Waiter>();

  const shareOf = (owner: string) => heldBy.get(owner) ?? 0;
  const addTo = (owner: string, bytes: number) => {
    heldBytes += bytes;
    const share = shareOf(owner) + bytes;
    if (share > 0) heldBy.set(owner, share);
    else heldBy.delete(owner);
  };

  function serve(): void {
    const full = new Set<string>();
    for (const waiter of waiting) {
      const { owner, bytes } = waiter;
      if (full.has(owner)) continue;
      if (shareOf(owner) + bytes > ownerBytes) full.add(owner);
      else if (heldBytes + bytes > totalBytes)
        return; // smaller requests behind it could overtake it indefinitely
      else {
        waiting.delete(waiter);
        addTo(owner, bytes);
        waiter.grant();
      }
    }
  }

  function open(owner: string): ByteHold {
    let held = 0;
    let released = false;
    let refuse: (() => void) | undefined;

    const shrink = (bytes: number) => {
      if (bytes >= held) return;
      addTo(owner, bytes - held);
      held = bytes;
      serve();
    };
    return {
      shrink,
      async hold(requestedBytes) {
        if (released) throw gone();
        const bytes = Math.min(requestedBytes, ownerBytes, totalBytes);
        if (held > 0) addTo(owner, -held);
        held = 0;
        await new Promise<void>((resolve, reject) => {
          const waiter: Waiter = {
            owner,
            bytes,
            grant() {
              held = bytes;
              refuse = undefined;
              resolve();
            },
          };
          refuse = () => {
            waiting.delete(waiter);
            reject(gone());
          };
          waiting.add(waiter);
          serve();
        });
      },
      release() {
        released = true;
        refuse?.();
        shrink(0);
        serve();
      },
    };
  }

  return { open, state: () => ({ heldBytes, waiting: waiting.size }) };
}

const gone = () => problem('bad_request', 'The connection ended before the reply was complete.');
