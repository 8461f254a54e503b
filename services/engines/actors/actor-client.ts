import { AsyncLocalStorage } from 'node:async_hooks';
import { siteActorId, siteActorType } from '../../../workflows/contracts/site-actor.ts';
import type { Logger } from '../../core/log.ts';
import { type EngineName, noteUnavailable } from '../unavailable.ts';

/** An actor: type, fixed id, and the input that it begins with. It looks into SQL whenever it is woken. */
export interface ActorAddress {
  type: string;
  id: string;
  args: readonly [string];
}

export interface RunOptions {
  /** Names the run in logs and in Temporal; unique. */
  id: string;
  input: unknown;
  /** How long the caller waits; the run is cancelled after it too. */
  timeoutMs: number;
}

/** What every process knows of the actors, whichever runtime the settings chose. */
export interface ActorClient {
  /**
   * Wakes a site's actor, starting it where it does not run. Call it after the commit. Best effort: it never delays or
   * fails the caller, and at most one wake per actor is on its way from this process; the sweeper repeats a lost one.
   */
  wakeSite(siteId: string): void;
  /** The same for any other actor. */
  wakeActor(actor: ActorAddress): void;
  /**
   * Runs a short actor and resolves to its result. A Problem below 500 of its call comes back as that Problem; an engine that
   * cannot be reached, no worker, or no result in time is a Problem `unavailable`.
   */
  run<T>(type: string, options: RunOptions): Promise<T>;
  /** Tells every process that hears it that jobs of a build have ended. In the worker only; best effort, and it carries nothing. */
  tellJobsEnded?(): void;
  /**
   * Calls `listener` whenever jobs may have ended, until the signal: at each notice of the worker, and when the connection to it is
   * made again. Absent where the runtime carries no notices.
   */
  hearJobsEnded?(listener: () => void, signal: AbortSignal): void;
  /** Throws when the runtime does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

type Snapshot = ReturnType<typeof AsyncLocalStorage.snapshot>;

/**
 * The two wakes of an ActorClient over one way to send a wake: coalesced by actor, never failing. A wake that arrives while another
 * one of the same actor is being sent is sent once more after it, in the context of its caller.
 */
export function createWaker(
  send: (actor: ActorAddress) => Promise<void>,
  { engine, log }: { engine: EngineName; log: Logger },
): Pick<ActorClient, 'wakeSite' | 'wakeActor'> {
  /** Actors whose wake is being sent; `again` is the context of another wake that came meanwhile. */
  const underWay = new Map<string, { again: Snapshot | null }>();

  async function keepSending(actor: ActorAddress, state: { again: Snapshot | null }): Promise<void> {
    try {
      await send(actor);
      for (let again = state.again; again; again = state.again) {
        state.again = null;
        await again(() => send(actor));
      }
    } catch (error) {
      noteUnavailable({ engine, request: `wake ${actor.type}`, cause: error });
      log.debug({ err: error, actor: actor.id }, 'an actor could not be woken; the sweeper will wake it');
    } finally {
      underWay.delete(actor.id);
    }
  }

  function wakeActor(actor: ActorAddress): void {
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
