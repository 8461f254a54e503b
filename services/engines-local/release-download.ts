import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { waitForLock } from '../core/file-lock.ts';
import { isWorking } from './programs.ts';
import { type ReportProgress, reportWhile } from './progress.ts';
import { type PinnedRelease, versionPatterns } from './temporal-program.ts';

const mebibyte = 1024 * 1024;
/** The name of the program, in the archive too. */
const programName = 'temporal';

/**
 * Downloads a URL into a file and returns the SHA-256 of its bytes; `onBytes` receives the number of bytes so far.
 * Gives up when nothing arrives for `silenceMs`: networks without internet access often drop packets instead of
 * refusing them, and there is an alternative.
 */
async function fetchFile(
  url: string,
  file: string,
  silenceMs: number,
  onBytes: (total: number) => void,
): Promise<string> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error(`no byte within ${silenceMs} ms`)), silenceMs);
  try {
    const response = await fetch(url, { signal: silent.signal });
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    const hash = createHash('sha256');
    let total = 0;
    async function* watched(source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        timer.refresh();
        hash.update(chunk);
        onBytes((total += chunk.length));
        yield chunk;
      }
    }
    await pipeline(Readable.fromWeb(response.body as never), watched, createWriteStream(file));
    return hash.digest('hex');
  } finally {
    clearTimeout(timer);
  }
}

/** Extracts the entry of that name from a `.tar.gz`. */
async function unpackEntry(archive: string, name: string, target: string): Promise<void> {
  const entries = extract();
  const unpacking = pipeline(createReadStream(archive), createGunzip(), entries);
  let found = false;
  for await (const entry of entries) {
    const isProgram = entry.header.type === 'file' && path.posix.basename(entry.header.name) === name;
    if (isProgram) await pipeline(entry, createWriteStream(target));
    else entry.resume();
    found ||= isProgram;
  }
  await unpacking;
  if (!found) throw new Error(`there is no ${name} in it`);
}

async function install(release: PinnedRelease, file: string, report: ReportProgress, silenceMs: number): Promise<void> {
  const download = `${file}.${process.pid}.download`;
  const unpacked = `${file}.${process.pid}.tmp`;
  let bytes = 0;
  const describe = () => `downloading Temporal: ${Math.floor(bytes / mebibyte)} MiB`;
  const fetching = fetchFile(release.url, download, silenceMs, (total) => (bytes = total));
  try {
    const sha256 = await reportWhile('temporal', report, describe, fetching);
    if (sha256 !== release.sha256) throw new Error('its SHA-256 is not the pinned one');
    await unpackEntry(download, programName, unpacked);
    chmodSync(unpacked, 0o755);
    renameSync(unpacked, file);
  } finally {
    for (const rest of [download, unpacked]) rmSync(rest, { force: true });
  }
}

/** Returns the path in the cache of a pinned release's program. */
export function releaseFile(release: PinnedRelease, cache: string): string {
  return path.join(cache, `${programName}-release-${release.sha256.slice(0, 16)}`, programName);
}

/**
 * Downloads Temporal's official release into the cache, unless it is cached. Bytes whose SHA-256 is not the pinned one
 * are discarded. Returns its path, or a reason, as part of a sentence, when that fails.
 */
export async function downloadRelease(
  release: PinnedRelease | null,
  cache: string,
  report: ReportProgress,
  silenceMs = 5000,
): Promise<{ file: string } | { reason: string }> {
  if (!release) return { reason: 'there is no pinned release for this machine' };
  const file = releaseFile(release, cache);
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = await waitForLock(path.join(cache, 'temporal.lock'), (elapsedSeconds) =>
    report({ engine: 'temporal', doing: 'waiting for another run that downloads Temporal', elapsedSeconds }),
  );
  try {
    if (!existsSync(file)) await install(release, file, report, silenceMs);
    if (await isWorking(file, versionPatterns.cli)) return { file };
    return { reason: `its release (${file}) does not run` };
  } catch (error) {
    const { cause, message } = error as Error;
    return {
      reason: `its release could not be downloaded (${release.url}: ${(cause as Error | undefined)?.message ?? message})`,
    };
  } finally {
    lock.release();
  }
}
