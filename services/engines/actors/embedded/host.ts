import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as actors from '../../../../workflows/actors/index.ts';
import { CallCancelled } from '../../../../workflows/contracts/runtime.ts';
import { shutdownGraceMs } from '../../../../workflows/policies/index.ts';
import { ConfigError } from '../../../core/config.ts';
import type { Logger } from '../../../core/log.ts';
import { currentOrigin, type Origin } from '../../../core/tracing.ts';
import { type ActorClient, type ActorRef, createWaker, type RunOptions } from '../actor-client.ts';
import type { ActorHost, RunActors } from '../actor-host.ts';
import { actorsUnavailable } from '../failures.ts';
import { showEmbedded } from '../metrics.ts';
import { type Call, type CallRunner, createCallRunner } from './call-runner.ts';
import { type Actor, createEmbeddedActor, type EmbeddedActor, runActor } from './runtime.ts';
import { type ActorService, serveActors } from './socket-server.ts';

const actorsByType: Record<string, Actor> = actors;

/** Returns the function that ends the process when a call ignores its cancellation; the supervisor starts a new one. */
function endProcess(log: Logger) {
  return ({ name, actor }: Call): void => {
    log.fatal({ activity: name, actor }, 'a call ignores its cancellation: the worker ends and is started again');
    process.exit(1);
  };
}

/** Creates the actors of this process: at most one run of each id at a time. */
function createActors(calls: CallRunner, log: Logger): Omit<ActorService, 'hearJobsEnded'> {
  const running = new Map<string, EmbeddedActor>();
  // an actor outlives the work that woke it, so its logs and spans must not belong to that work
  const outside = AsyncLocalStorage.snapshot();
  showEmbedded({ actors: () => running.size, calls: () => calls.counts() });

  return {
    wake({ type, id, args: [input] }, origin) {
      const present = running.get(id);
      if (present) return present.wake(origin);
      const actor = actorsByType[type];
      if (!actor) throw new Error(`There is no actor of the type ${type}.`);
      const fresh = createEmbeddedActor(id, calls);
      running.set(id, fresh);
      fresh.wake(origin);
      outside(() => runActor(fresh, actor, input))
        .catch((error: unknown) => log.error({ err: error, actor: id }, 'an actor failed; its next wake starts it'))
        .finally(() => running.delete(id));
    },
    async run(type, { id, input, timeoutMs }, origin, signal) {
      const actor = actorsByType[type];
      if (!actor) throw new Error(`There is no actor of the type ${type}.`);
      const fresh = createEmbeddedActor(id, calls);
      fresh.wake(origin);
      const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      late.addEventListener('abort', fresh.cancel, { once: true });
      try {
        return await outside(() => runActor(fresh, actor, input));
      } catch (error) {
        throw error instanceof CallCancelled ? actorsUnavailable(error) : error;
      } finally {
        late.removeEventListener('abort', fresh.cancel);
      }
    },
  };
}

/**
 * Creates the host of actors inside this worker, for one machine with one worker (design: Engines). No state outlives
 * the process: SQL is the truth, and after a crash the sweeper wakes every actor that has work. A second worker on the
 * same socket waits until the first one has ended; if two overlap for a moment, the tokens of builds and claims keep
 * the results correct.
 */
export function createEmbeddedHost(socket: string, log: Logger): ActorHost {
  const { promise: service, resolve: provide } = Promise.withResolvers<ActorService>();
  let ready = false;
  const notices = new EventEmitter<{ jobsEnded: [] }>().setMaxListeners(0);
  const hearJobsEnded = (listener: () => void, signal: AbortSignal) => {
    notices.on('jobsEnded', listener);
    signal.addEventListener('abort', () => notices.off('jobsEnded', listener), { once: true });
  };

  const send = async (ref: ActorRef): Promise<void> => {
    const origin: Origin = currentOrigin() ?? {};
    if (ready) (await service).wake(ref, origin);
  };
  const client: ActorClient = {
    ...createWaker(send, { engine: 'actors', log }),
    run: async <T>(type: string, options: RunOptions) =>
      (await (await service).run(type, options, currentOrigin() ?? {}, new AbortController().signal)) as T,
    tellJobsEnded: () => void notices.emit('jobsEnded'),
    hearJobsEnded,
    async ping() {
      if (!ready) throw new Error('The actors are not running yet.');
    },
    close: async () => undefined,
  };

  return {
    client,
    async run({ handlers, queues, onReady, signal }: RunActors) {
      if (queues.length < 3)
        throw new ConfigError(
          'FIELDSTONE_WORKER_QUEUES needs TEMPORAL_ADDRESS: embedded actors run in one worker, on all queues.',
        );
      const calls = createCallRunner({ handlers, log, onStuck: endProcess(log) });
      const served: ActorService = { ...createActors(calls, log), hearJobsEnded };
      const server = await serveActors(socket, served, { log, signal });
      try {
        ready = true;
        provide(served);
        onReady();
        while (!signal.aborted) await sleep(60_000, undefined, { signal }).catch(() => undefined);
      } finally {
        ready = false;
        await server.close();
        await calls.stop(shutdownGraceMs);
      }
    },
  };
}
