import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { waitForLock } from '../core/file-lock.ts';
import type { EngineBinary } from './engine-binary.ts';
import { type Env, isWorking, listOnPath } from './programs.ts';
import { type ReportProgress, reportWhile } from './progress.ts';

const buildFlags = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags=-s -w'];

function moduleFolder(engine: EngineBinary): string {
  return path.join(import.meta.dirname, 'go', engine.name);
}

/** Where the cache keeps the program built from exactly these pinned sources, with these flags, for this machine. */
export function cachedFile(engine: EngineBinary, cache: string): string {
  const hash = createHash('sha256').update(
    [process.platform, process.arch, engine.goPackage, ...buildFlags].join('\0'),
  );
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(path.join(moduleFolder(engine), file)));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return path.join(cache, `${engine.name}-${hash.digest('hex').slice(0, 16)}`, engine.name + suffix);
}

/** The settings of the user's Go stay in force (GOPROXY, GOMODCACHE); only what decides the result is fixed. */
function goEnvironment(env: Env): NodeJS.ProcessEnv {
  return { ...env, CGO_ENABLED: '0', GOWORK: 'off' };
}

/** How many packages the build consists of; downloads the modules on the way. */
async function countPackages(go: string, engine: EngineBinary, env: Env): Promise<number> {
  const { stdout } = await promisify(execFile)(go, ['list', '-mod=readonly', '-deps', engine.goPackage], {
    cwd: moduleFolder(engine),
    env: goEnvironment(env),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim().split('\n').length;
}

/** Runs `go build -v`, which names each package as it is compiled. Rejects with Go's last words. */
async function compile(
  go: string,
  engine: EngineBinary,
  target: string,
  env: Env,
  onPackage: () => void,
): Promise<void> {
  const child = spawn(go, ['build', ...buildFlags, '-v', '-o', target, engine.goPackage], {
    cwd: moduleFolder(engine),
    env: goEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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

async function build(go: string, engine: EngineBinary, file: string, env: Env, report: ReportProgress): Promise<void> {
  const count = countPackages(go, engine, env);
  const total = await reportWhile(engine.name, report, () => `fetching the source of ${engine.title}`, count);
  const temporary = `${file}.${process.pid}.tmp`;
  let done = 0;
  const describe = () => `building ${engine.title} (once; some minutes): ${Math.min(done, total)} of ${total} packages`;
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    await reportWhile(
      engine.name,
      report,
      describe,
      compile(go, engine, temporary, env, () => done++),
    );
    chmodSync(temporary, 0o755);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The last line of what Go said, without its stack of causes. */
function explain(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}

/**
 * Answers the cached program, or builds it with Go from the versions pinned in `go/<engine>/`. Two runs that start at once
 * wait for each other, so that it is built once. Answers a reason, fit for the middle of a sentence, when it cannot be built.
 */
export async function buildWithGo(
  engine: EngineBinary,
  cache: string,
  env: Env,
  report: ReportProgress,
): Promise<{ file: string } | { reason: string }> {
  const file = cachedFile(engine, cache);
  if (existsSync(file)) return { file };
  const go = listOnPath('go', env)[0];
  if (!go) return { reason: 'Go, which could build it, is not there either' };
  const lock = await waitForLock(path.join(cache, `${engine.name}.lock`), (elapsedSeconds) =>
    report({ engine: engine.name, doing: `waiting for another run that builds ${engine.title}`, elapsedSeconds }),
  );
  try {
    if (!existsSync(file)) await build(go, engine, file, env, report);
    if (await isWorking(file, engine.versionPattern)) return { file };
    return { reason: `what Go built (${file}) does not run` };
  } catch (error) {
    return { reason: `Go could not build it (${explain(error)})` };
  } finally {
    lock.release();
  }
}
