import { openDataFolder } from '../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../services/engines-local/index.ts';

/**
 * Runs local engines in a process that tests can kill: `run-local-engines.ts FOLDER [--temporal]`. Prints their
 * settings, or `{error}`, as one line of JSON.
 */
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
const { PATH, HOME, FIELDSTONE_CACHE } = process.env;
const env = { PATH, HOME, FIELDSTONE_CACHE };
const temporal = process.argv[3] === '--temporal';
try {
  const folder = await openDataFolder(process.argv[2]!);
  const options = { folder, env, temporal, onProgress: () => {}, onEvent: () => {}, signal: stopping.signal };
  const engines = await startLocalEngines(options);
  console.log(JSON.stringify(engines.settings));
  const alive = setInterval(() => {}, 60_000);
  stopping.signal.addEventListener('abort', async () => {
    await engines.stop();
    folder.close();
    clearInterval(alive);
  });
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }));
  process.exitCode = 1;
}
