import { AsyncLocalStorage } from 'node:async_hooks';
import { siteActorId, siteActorType } from '../../../workflows/contracts/site-actor.ts';
import type { Logger } from '../../core/log.ts';
import { type EngineName, recordUnavailable } from '../unavailable.ts';

/** An actor: type, fixed id, and initial input. It reads SQL whenever it is woken. */
export interface ActorRef {
  type: string;
  id: string;
  args: readonly [string];
}

export interface RunOptions {
  /** The unique id of the run, in logs and in Temporal. */
  id: string;
  input: unknown;
  /** How long the caller waits; the run is then cancelled. */
  timeoutMs: number;
}

/** The interface to the actors for every process, independent of the runtime. */
export interface ActorClient {
  /**
   * Wakes a site's actor, and starts it if it is not running. Call it after the commit. Best effort: it never delays or
   * fails the caller, and this process sends at most one wake per actor at a time; the sweeper repeats lost ones.
   */
  wakeSite(siteId: string): void;
  /** Wakes any other actor in the same way. */
  wakeActor(actor: ActorRef): void;
  /**
   * Runs a short actor and resolves to its result. Rejects with the Problem of its call if that is below 500; with a
   * Problem `unavailable` if the engine cannot be reached, no worker runs, or the result is not there in time.
   */
  run<T>(type: string, options: RunOptions): Promise<T>;
  /**
   * Notifies every listening process that jobs of a build have ended. In the worker only; best effort, without a
   * payload.
   */
  tellJobsEnded?(): void;
  /**
   * Calls `listener` whenever jobs may have ended, until the signal is aborted: at each notice of the worker, and after
   * each reconnection. Absent if the runtime sends no notices.
   */
  hearJobsEnded?(listener: () => void, signal: AbortSignal): void;
  /** Rejects when the runtime does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

type Snapshot = ReturnType<typeof AsyncLocalStorage.snapshot>;

/**
 * Creates the two wake functions of an ActorClient from a function that sends a wake. Wakes are coalesced by actor and
 * never fail. A wake that arrives while another one of the same actor is being sent is sent after it, in its caller's
 * context.
 */
export function createWaker(
  send: (actor: ActorRef) => Promise<void>,
  { engine, log }: { engine: EngineName; log: Logger },
): Pick<ActorClient, 'wakeSite' | 'wakeActor'> {
  /** Actors whose wake is being sent; `again` is the context of another wake that arrived meanwhile. */
  const underWay = new Map<string, { again: Snapshot | null }>();

  async function keepSending(actor: ActorRef, state: { again: Snapshot | null }): Promise<void> {
    try {
      await send(actor);
      for (let again = state.again; again; again = state.again) {
        state.again = null;
        await again(() => send(actor));
      }
    } catch (error) {
      recordUnavailable({ engine, request: `wake ${actor.type}`, cause: error });
      log.debug({ err: error, actor: actor.id }, 'an actor could not be woken; the sweeper will wake it');
    } finally {
      underWay.delete(actor.id);
    }
  }

  function wakeActor(actor: ActorRef): void {
    const state = underWay.get(actor.id);
    if (state) {
      state.again = AsyncLocalStorage.snapshot();
      return;
    }
    const fresh = { again: null };
    underWay.set(actor.id, fresh);
    void keepSending(actor, fresh);
  }
  return {
    wakeActor,
    wakeSite: (siteId) => wakeActor({ type: siteActorType, id: siteActorId(siteId), args: [siteId] }),
  };
}
