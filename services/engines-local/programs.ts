import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export type Env = Record<string, string | undefined>;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns every file of that name on PATH, in its order. */
export function listOnPath(name: string, env: Env): string[] {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name + suffix))
    .filter(isExecutable);
}

/** Returns whether a program can be run here and its version output matches. */
export async function isWorking(file: string, pattern: RegExp): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 20_000 });
    return pattern.test(stdout);
  } catch {
    return false;
  }
}
