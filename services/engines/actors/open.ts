import type { EngineConfig } from '../../core/config.ts';
import type { Logger } from '../../core/log.ts';
import type { ActorClient } from './actor-client.ts';
import type { ActorHost } from './actor-host.ts';

/**
 * Opens the client of the actors for a gateway or a command: Temporal's or that of this machine's worker, as
 * configured. Temporal's SDK is loaded only where it is used, since it costs 40 MB per process.
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

/** Opens the configured runtime of the actors for a worker. */
export async function openActorHost(config: EngineConfig, log: Logger): Promise<ActorHost> {
  const { actors } = config;
  if (actors.engine === 'temporal') {
    const { createTemporalHost } = await import('./temporal/host.ts');
    return createTemporalHost({ ...config, temporalAddress: actors.address }, log);
  }
  const { createEmbeddedHost } = await import('./embedded/host.ts');
  return createEmbeddedHost(actors.socket, log);
}
