import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writePrivateFile } from '../../engines-local/files.ts';

/** Written to the data folder by a running service, so that other commands find its engines. */
export interface RunSettings {
  pid: number;
  opsUrl: string;
  /** The environment of its roles: the engines' URLs and credentials, public origins, the secret key. */
  settings: Record<string, string>;
}

function runFile(dataDir: string): string {
  return path.join(dataDir, 'run.json');
}

/** Writes the settings of this run to `run.json` (mode 0600). */
export function writeRunSettings(dataDir: string, run: RunSettings): void {
  writePrivateFile(runFile(dataDir), `${JSON.stringify(run, null, 2)}\n`);
}

/**
 * Returns the settings of the current or last service on this folder; undefined if it never ran or was stopped
 * properly.
 */
export function readRunSettings(dataDir: string): RunSettings | undefined {
  try {
    return JSON.parse(readFileSync(runFile(dataDir), 'utf8')) as RunSettings;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function removeRunSettings(dataDir: string): void {
  rmSync(runFile(dataDir), { force: true });
}

/** Returns whether the process that wrote the settings is alive (a killed one cannot remove its file). */
export function isRunning(run: RunSettings): boolean {
  try {
    process.kill(run.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
