import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { Logger } from '../../../core/log.ts';

const workflowsFolder = path.join(import.meta.dirname, '../../../../workflows');
const definitionsFile = path.join(workflowsFolder, 'definitions/index.ts');
const interceptorsFile = path.join(workflowsFolder, 'definitions/carry-trace-context.ts');
const sdkManifest = path.join(import.meta.dirname, '../../../../node_modules/@temporalio/worker/package.json');

function cacheFolder(): string {
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'fieldstone', 'workflows');
}

/** Returns the name of the bundle for these sources and this SDK. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(sdkManifest));
  const names = (await readdir(workflowsFolder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  for (const name of names) {
    if (name.startsWith('activities')) continue;
    hash.update(`\0${name}\0`).update(await readFile(path.join(workflowsFolder, name)));
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * Returns the workflow definitions as one file. Bundling takes seconds of CPU, so the result is cached in the user's
 * cache folder under the hash of its sources; without a usable cache it is bundled each time.
 */
export async function loadWorkflowBundle(log: Logger): Promise<{ code: string }> {
  const file = path.join(cacheFolder(), `${await hashSources()}.js`);
  const cached = await readFile(file, 'utf8').catch(() => null);
  if (cached) return { code: cached };
  const { code } = await bundleWorkflowCode({
    workflowsPath: definitionsFile,
    workflowInterceptorModules: [interceptorsFile],
    logger: quietLogger(log),
  });
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, code);
    await rename(draft, file);
  } catch (error) {
    log.warn({ err: error }, 'the workflow bundle could not be cached');
  }
  return { code };
}

/** Drops the bundler's progress messages; only warnings and errors matter here. */
function quietLogger(log: Logger) {
  const quiet = () => undefined;
  return {
    log: quiet,
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: (message: string) => log.warn(message),
    error: (message: string) => log.error(message),
  };
}
