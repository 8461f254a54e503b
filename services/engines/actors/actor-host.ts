import type { CallHandlers } from '../../../workflows/contracts/runtime.ts';
import type { EngineConfig } from '../../core/config.ts';
import type { ActorClient } from './actor-client.ts';

export interface RunActors {
  /** What the calls of actors do. */
  handlers: CallHandlers;
  queues: EngineConfig['workerQueues'];
  /** Told once, when actors and calls can run here. */
  onReady(): void;
  /** Begins the end: no new call starts, calls under way may finish within the grace period. */
  signal: AbortSignal;
}

/** The runtime of the actors in a worker process. */
export interface ActorHost {
  client: ActorClient;
  /** Runs actors and their calls. Resolves after `signal`; rejects when the runtime is lost for good. */
  run(options: RunActors): Promise<void>;
}
