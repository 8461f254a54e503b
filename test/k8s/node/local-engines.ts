import path from 'node:path';
import { openDataFolder } from '../../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../../services/engines-local/index.ts';

/** Real engines on loopback, for pods in the machine's network, and the settings that lead to them. */
export async function startEngines(parent: string) {
  const folder = await openDataFolder(path.join(parent, 'engines'));
  const stopping = new AbortController();
  const ignore = () => undefined;
  const env = { PATH: process.env.PATH };
  const engines = await startLocalEngines({
    temporal: true,
    folder,
    env,
    onProgress: ignore,
    onEvent: ignore,
    signal: stopping.signal,
  });
  return {
    settings: engines.settings,
    secretKey: folder.credentials.secretKey,
    async stop() {
      await engines.stop();
      folder.close();
      stopping.abort();
    },
  };
}
