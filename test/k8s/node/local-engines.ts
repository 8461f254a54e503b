import path from 'node:path';
import { openDataFolder } from '../../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../../services/engines-local/index.ts';
import { findS3Server, noS3Server, startS3Server } from '../../harness/s3-server.ts';

/**
 * Starts PostgreSQL, Temporal and an S3 server on loopback, for pods in the machine's network, and returns their
 * settings.
 */
export async function startEngines(parent: string) {
  const objects = findS3Server();
  if (!objects) throw new Error(`The pods have no store of objects: ${noS3Server}.`);
  const folder = await openDataFolder(path.join(parent, 'engines'));
  const stopping = new AbortController();
  const ignore = () => undefined;
  const { PATH, HOME } = process.env; // Go caches its builds in the home folder
  const env = { PATH, HOME };
  const engines = await startLocalEngines({
    temporal: true,
    folder,
    env,
    onProgress: ignore,
    onEvent: ignore,
    signal: stopping.signal,
  });
  const store = await startS3Server(objects);
  const settings: Record<string, string> = { ...engines.settings, ...store.settings };
  return {
    settings,
    secretKey: folder.credentials.secretKey,
    async stop() {
      await store.stop();
      await engines.stop();
      folder.close();
      stopping.abort();
    },
  };
}
