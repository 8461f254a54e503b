import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { buildWithGo, builtFile } from './go-build.ts';
import { type Env, isWorking, listOnPath } from './programs.ts';
import type { ReportProgress } from './progress.ts';
import { downloadRelease, releaseFile } from './release-download.ts';
import { type PinnedRelease, type TemporalProgram, temporalReleases, versionPatterns } from './temporal-program.ts';

/**
 * Returns the folder for built and downloaded engines: FIELDSTONE_CACHE, else the user's cache folder; never inside the
 * repository.
 */
export function locateCache(env: Env): string {
  if (env['FIELDSTONE_CACHE']) return path.resolve(env['FIELDSTONE_CACHE']);
  return path.join(env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'fieldstone', 'engines');
}

/** Returns the pinned release for this machine. */
function releaseHere(): PinnedRelease | null {
  return temporalReleases[`${process.platform}-${process.arch}`] ?? null;
}

async function findPresent(cache: string, env: Env, release: PinnedRelease | null) {
  const onPath = listOnPath('temporal', env).map((file): TemporalProgram => ({ file, kind: 'cli' }));
  const cached: TemporalProgram[] = [
    ...(release ? [{ file: releaseFile(release, cache), kind: 'cli' } as const] : []),
    { file: builtFile(cache), kind: 'server' },
  ];
  for (const program of [...onPath, ...cached.filter(({ file }) => existsSync(file))]) {
    if (await isWorking(program.file, versionPatterns[program.kind])) return program;
  }
  return undefined;
}

/**
 * Finds a program that serves Temporal: `temporal` on PATH, else one in the cache, else the official release with a
 * pinned SHA-256, else a Go build of `go/temporal`. Throws one sentence that says what to do when none of these works.
 * Source: design "Engines".
 */
export async function findTemporal(
  env: Env,
  report: ReportProgress,
  release: PinnedRelease | null = releaseHere(),
): Promise<TemporalProgram> {
  const cache = locateCache(env);
  const present = await findPresent(cache, env, release);
  if (present) return present;
  const downloaded = await downloadRelease(release, cache, report);
  if ('file' in downloaded) return { file: downloaded.file, kind: 'cli' };
  const built = await buildWithGo(cache, env, report);
  if ('file' in built) return { file: built.file, kind: 'server' };
  throw new Error(
    `There is no Temporal on this machine, ${downloaded.reason}, and ${built.reason}: put the program "temporal" on PATH ` +
      '(https://docs.temporal.io/cli), install Go 1.21 or later, set TEMPORAL_ADDRESS to a running server, or leave out --temporal.',
  );
}
