import { spawn } from 'node:child_process';
import { accessSync, constants as modes } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import path from 'node:path';

/** The paths of the two programs, which are installed together. */
export interface Ffmpeg {
  ffmpeg: string;
  ffprobe: string;
}

/** Thrown when the program failed because of the file; `message` is its output. */
export class FfmpegFailed extends Error {}

/** Thrown when the program exceeded its time limit. */
export class FfmpegTooSlow extends Error {}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, modes.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findOnPath(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

/** Finds binaries in installed packages: for development, never a dependency of the service. */
function findInPackage(name: string): string | undefined {
  try {
    const { path: file } = createRequire(import.meta.url)(name) as { path: string };
    return isExecutable(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Finds ffmpeg and ffprobe: the setting FIELDSTONE_FFMPEG (ffprobe in the same folder), then PATH, then packages that
 * contain them. Returns null when not found: then videos are stored unchanged.
 */
export function findFfmpeg(setting: string | undefined, searchPath = process.env['PATH'] ?? ''): Ffmpeg | null {
  if (setting) {
    const beside = path.join(path.dirname(setting), 'ffprobe');
    return isExecutable(setting) && isExecutable(beside) ? { ffmpeg: setting, ffprobe: beside } : null;
  }
  const ffmpeg = findOnPath('ffmpeg', searchPath) ?? findInPackage('@ffmpeg-installer/ffmpeg');
  const ffprobe = findOnPath('ffprobe', searchPath) ?? findInPackage('@ffprobe-installer/ffprobe');
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : null;
}

/** If `setpriv` exists, the program ends when the worker is killed; otherwise it could run for hours. */
function commandOf(program: string): string[] {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv', process.env['PATH'] ?? '') : undefined;
  return [...(setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []), program];
}

const keptOutputBytes = 1024 * 1024;
const keptErrorBytes = 4096;

/**
 * Runs a program and returns its output. It gets no settings of ours, no input, and a low priority. Rejects with
 * FfmpegFailed, FfmpegTooSlow, or the reason of `signal`; the program has ended in every case.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (signal.aborted) return Promise.reject(signal.reason);
  const [command, ...words] = commandOf(program);
  const child = spawn(command!, [...words, ...args], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (output.length < keptOutputBytes) output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-keptErrorBytes);
  });
  const end = (reason: unknown) => {
    reject(reason);
    child.kill('SIGKILL');
  };
  const onAbort = () => end(signal.reason);
  const timer = setTimeout(() => end(new FfmpegTooSlow('The video took too long to convert.')), timeoutMs);
  signal.addEventListener('abort', onAbort);
  child.once('error', reject);
  child.once('close', (code) => {
    if (code === 0) resolve(output);
    else reject(new FfmpegFailed(errors.trim() || `The program ended with code ${code}.`));
  });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
