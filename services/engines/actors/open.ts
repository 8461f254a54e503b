import type { EngineConfig } from '../../core/config.ts';
import type { Logger } from '../../core/log.ts';
import type { ActorClient } from './actor-client.ts';
import type { ActorHost } from './actor-host.ts';

/**
 * The actors as a gateway or a command sees them: those of Temporal or of the worker on this machine, as the settings say. The SDK
 * of Temporal is loaded only where it is used: it costs 40 MB a process.
 */
export async function openActorClient(config: EngineConfig, log: Logger): Promise<ActorClient> {
  const { actors } = config;
  if (actors.engine === 'temporal') {
    const { createTemporalClient } = await import('./temporal/client.ts');
    return createTemporalClient({ ...config, temporalAddress: actors.address }, log);
  }
  const { createSocketClient } = await import('./embedded/socket-client.ts');
  return createSocketClient(actors.socket, log);
}

/** The runtime of the actors for a worker, as the settings say. */
export async function openActorHost(config: EngineConfig, log: Logger): Promise<ActorHost> {
  const { actors } = config;
  if (actors.engine === 'temporal') {
    const { createTemporalHost } = await import('./temporal/host.ts');
    return createTemporalHost({ ...config, temporalAddress: actors.address }, log);
  }
  const { createEmbeddedHost } = await import('./embedded/host.ts');
  return createEmbeddedHost(actors.socket, log);
}
