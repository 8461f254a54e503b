import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writePrivateFile } from '../../engines-local/files.ts';

/** What a running service leaves in its data folder, so that other commands find its engines. */
export interface RunSettings {
  pid: number;
  opsUrl: string;
  /** The environment of its roles: the engines' addresses and credentials, public origins, the secret key. */
  settings: Record<string, string>;
}

function runFile(dataDir: string): string {
  return path.join(dataDir, 'run.json');
}

/** Keeps the settings of this run in `run.json` (mode 0600). */
export function writeRunSettings(dataDir: string, run: RunSettings): void {
  writePrivateFile(runFile(dataDir), `${JSON.stringify(run, null, 2)}\n`);
}

/** The settings of the service that runs, or ran last, on this folder; undefined when it never ran or was stopped in order. */
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

/** Whether the process that wrote the settings is alive (a killed one cannot take its file away). */
export function isRunning(run: RunSettings): boolean {
  try {
    process.kill(run.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
