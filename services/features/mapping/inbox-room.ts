import type { Turn } from '../actor-turn.ts';
import type { ClaimedDelivery, ClaimRoom } from '../inbound/index.ts';

/**
 * Bytes of bodies that the inboxes of one worker hold in total, in addition to one delivery of each; and bytes per
 * claim.
 */
const maxHeldBytes = 64 * 1024 * 1024;
const maxClaimedBytes = 16 * 1024 * 1024;

/** A claim within the limits of its worker. */
export interface BoundedClaim {
  claimed: ClaimedDelivery[];
  /** Returns the turn that tracks the work of one claimed delivery; its memory is released when the work ends. */
  turnOf(delivery: ClaimedDelivery): Turn;
  /**
   * Nothing was claimed because the next delivery may crash a worker, and another inbox of this worker is processing
   * such a delivery.
   */
  isHeldBack: boolean;
}

/**
 * Creates the limits shared by all inboxes of one worker: the bytes of bodies, and one delivery at a time among those
 * during which a worker has ended, so that the delivery at fault is alone when it crashes another.
 */
export function createInboxRoom(heldLimit = maxHeldBytes) {
  let heldBytes = 0;
  let hasSuspect = false;

  async function claim(
    deliveries: number,
    turn: Turn,
    run: (room: ClaimRoom) => Promise<ClaimedDelivery[]>,
  ): Promise<BoundedClaim> {
    const isIdle = turn.size() === 0;
    const bytes = Math.max(0, Math.min(maxClaimedBytes, heldLimit - heldBytes));
    const maySuspect = isIdle && !hasSuspect;
    if (maySuspect) hasSuspect = true;
    heldBytes += bytes; // until the claimed size is known
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await run({ deliveries, bytes, isIdle, maySuspect });
    } finally {
      heldBytes += claimed.reduce((sum, { body_bytes }) => sum + body_bytes, 0) - bytes;
      if (maySuspect && !claimed.some(isSuspect)) hasSuspect = false;
    }
    const free = (delivery: ClaimedDelivery) => {
      heldBytes -= delivery.body_bytes;
      if (isSuspect(delivery)) hasSuspect = false;
    };
    return {
      claimed,
      turnOf: (delivery) => ({
        track: (work) => turn.track(work.finally(() => free(delivery))),
        size: turn.size,
      }),
      isHeldBack: isIdle && claimed.length === 0 && !maySuspect,
    };
  }
  return { claim };
}

const isSuspect = ({ interruptions }: ClaimedDelivery): boolean => interruptions > 0;
