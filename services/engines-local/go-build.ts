import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { waitForLock } from '../core/file-lock.ts';
import { type Env, isWorking, listOnPath } from './programs.ts';
import { type ReportProgress, reportWhile } from './progress.ts';
import { versionPatterns } from './temporal-program.ts';

const buildFlags = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags=-s -w'];
const moduleFolder = path.join(import.meta.dirname, 'go', 'temporal');
const sources = ['go.mod', 'go.sum', 'main.go'];

/** Returns the path in the cache of the program built from exactly these sources and flags for this machine. */
export function builtFile(cache: string): string {
  const hash = createHash('sha256').update([process.platform, process.arch, ...buildFlags].join('\0'));
  for (const file of sources) hash.update(readFileSync(path.join(moduleFolder, file)));
  return path.join(cache, `temporal-server-${hash.digest('hex').slice(0, 16)}`, 'temporal-server');
}

/**
 * Returns the environment of Go: the user's settings apply (GOPROXY, GOMODCACHE), except for those that affect the
 * result.
 */
function goEnvironment(env: Env): NodeJS.ProcessEnv {
  return { ...env, CGO_ENABLED: '0', GOWORK: 'off' };
}

/** Counts the packages of the build; downloads the modules on the way. */
async function countPackages(go: string, env: Env): Promise<number> {
  const { stdout } = await promisify(execFile)(go, ['list', '-mod=readonly', '-deps', '.'], {
    cwd: moduleFolder,
    env: goEnvironment(env),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim().split('\n').length;
}

/** Runs `go build -v`, which names each package as it is compiled. Rejects with the last line of Go's output. */
async function compile(go: string, target: string, env: Env, onPackage: () => void): Promise<void> {
  const child = spawn(go, ['build', ...buildFlags, '-v', '-o', target, '.'], {
    cwd: moduleFolder,
    env: goEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The build takes minutes on every core, so it and its compilers get a lower priority than other programs.
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let lastLine = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line;
    onPackage();
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`go build ended with code ${code}: ${lastLine}`);
}

async function build(go: string, file: string, env: Env, report: ReportProgress): Promise<void> {
  const count = countPackages(go, env);
  const total = await reportWhile('temporal', report, () => 'fetching the source of Temporal', count);
  const temporary = `${file}.${process.pid}.tmp`;
  let done = 0;
  const describe = () => `building Temporal (once; some minutes): ${Math.min(done, total)} of ${total} packages`;
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    await reportWhile(
      'temporal',
      report,
      describe,
      compile(go, temporary, env, () => done++),
    );
    chmodSync(temporary, 0o755);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Returns the last line of Go's output, without its stack of causes. */
function explain(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}

/**
 * Builds the server of `go/temporal` with Go into the cache, unless it is cached. Concurrent runs wait for each other,
 * so that it is built once. Returns its path, or a reason, as part of a sentence, when it cannot be built.
 */
export async function buildWithGo(
  cache: string,
  env: Env,
  report: ReportProgress,
): Promise<{ file: string } | { reason: string }> {
  const file = builtFile(cache);
  const go = listOnPath('go', env)[0];
  if (!go) return { reason: 'Go, which could build it, is not installed either' };
  const lock = await waitForLock(path.join(cache, 'temporal.lock'), (elapsedSeconds) =>
    report({ engine: 'temporal', doing: 'waiting for another run that builds Temporal', elapsedSeconds }),
  );
  try {
    if (!existsSync(file)) await build(go, file, env, report);
    if (await isWorking(file, versionPatterns.server)) return { file };
    return { reason: `what Go built (${file}) does not run` };
  } catch (error) {
    return { reason: `Go could not build it (${explain(error)})` };
  } finally {
    lock.release();
  }
}
