import type { CallHandlers } from '../../../workflows/contracts/runtime.ts';
import type { EngineConfig } from '../../core/config.ts';
import type { ActorClient } from './actor-client.ts';

export interface RunActors {
  /** Implementations of the calls of actors. */
  handlers: CallHandlers;
  queues: EngineConfig['workerQueues'];
  /** Called once, when actors and calls can run here. */
  onReady(): void;
  /** Starts the shutdown: no new call starts; running calls may finish within the grace period. */
  signal: AbortSignal;
}

/** The runtime of the actors in a worker process. */
export interface ActorHost {
  client: ActorClient;
  /** Runs actors and their calls. Resolves after `signal`; rejects when the runtime is lost permanently. */
  run(options: RunActors): Promise<void>;
}
