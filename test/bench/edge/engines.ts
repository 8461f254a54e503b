import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareEngines } from '../../../services/cli/prepare-engines.ts';
import { loadConfig, requireEngines } from '../../../services/core/config.ts';
import { openDataFolder } from '../../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../../services/engines-local/index.ts';
import { choosePorts } from '../../../services/engines-local/ports.ts';

/**
 * Starts PostgreSQL and objects in files for the edge, in a folder of their own, migrated; `env` is for its process.
 * With `workflows`, Temporal too.
 */
export async function startEdgeEngines({ workflows = false } = {}) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-edge-'));
  const folder = await openDataFolder(dataDir);
  // the edge never connects to Temporal: any value keeps it from being started
  const unused: Record<string, string> = workflows ? {} : { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const engines = await startLocalEngines({
    folder,
    env: { ...process.env, ...unused },
    temporal: false,
    onProgress: () => undefined,
    onEvent: () => undefined,
    signal: new AbortController().signal,
  });
  const ports = await choosePorts(folder.path, ['edge', 'edgeOps']);
  const env: Record<string, string> = {
    ...engines.settings,
    ...unused,
    PATH: process.env['PATH'] ?? '',
    FIELDSTONE_DATA_DIR: folder.path,
    FIELDSTONE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    FIELDSTONE_HOST: '127.0.0.1',
    FIELDSTONE_EDGE_PORT: String(ports.edge),
    FIELDSTONE_OPS_PORT: String(ports.edgeOps),
  };
  const config = requireEngines(loadConfig(env));
  await prepareEngines(config);
  return {
    env,
    config,
    async stop() {
      await engines.stop();
      folder.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
