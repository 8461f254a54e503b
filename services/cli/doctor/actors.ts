import type { EngineConfig } from '../../core/config.ts';
import { createLogger } from '../../core/log.ts';
import { openActorClient } from '../../engines/actors/open.ts';
import { examine, type Finding, good } from './finding.ts';

async function checkEmbedded(config: EngineConfig): Promise<Finding[]> {
  const client = await openActorClient(config, createLogger('cli', 'silent'));
  const context = { subject: 'The worker of this machine', remedy: 'Start the service, or look into logs/worker.log.' };
  try {
    return await examine('workers', context, async () => {
      await client.ping();
      return good('workers', 'the worker of this machine runs the actors');
    });
  } finally {
    await client.close();
  }
}

/** Checks the configured runtime of the actors, and whether a worker runs them. */
export async function checkActors(config: EngineConfig): Promise<Finding[]> {
  if (config.actors.engine === 'embedded') return checkEmbedded(config);
  const { checkWorkflows } = await import('./workflows.ts');
  return checkWorkflows({ ...config, temporalAddress: config.actors.address });
}
