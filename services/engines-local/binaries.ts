import { homedir } from 'node:os';
import path from 'node:path';
import type { EngineBinary } from './engine-binary.ts';
import { buildWithGo } from './go-build.ts';
import { type Env, isWorking, listOnPath } from './programs.ts';
import type { ReportProgress } from './progress.ts';
import { downloadRelease } from './release-download.ts';

/** The folder that keeps built engines: FIELDSTONE_CACHE, else the user's cache folder; never inside the repository. */
export function locateCache(env: Env): string {
  if (env['FIELDSTONE_CACHE']) return path.resolve(env['FIELDSTONE_CACHE']);
  return path.join(env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'fieldstone', 'engines');
}

/**
 * Finds an engine's program: on PATH, else in the cache, else built by Go from pinned source, else the official release with
 * a pinned SHA-256. Throws one sentence that says what to do when none of these works (design: Engines).
 */
export async function findBinary(engine: EngineBinary, env: Env, report: ReportProgress): Promise<string> {
  for (const file of listOnPath(engine.name, env)) {
    if (await isWorking(file, engine.versionPattern)) return file;
  }
  const cache = locateCache(env);
  const built = await buildWithGo(engine, cache, env, report);
  if ('file' in built) return built.file;
  const downloaded = await downloadRelease(engine, cache, report);
  if ('file' in downloaded) return downloaded.file;
  throw new Error(
    `${engine.title} is not on this machine, ${built.reason}, and ${downloaded.reason}: install Go 1.21 or later, ` +
      `put the program "${engine.name}" on PATH (${engine.website}), or set ${engine.setting} to a running server.`,
  );
}
