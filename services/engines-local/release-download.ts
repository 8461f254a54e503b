import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { waitForLock } from '../core/file-lock.ts';
import type { EngineBinary, PinnedRelease } from './engine-binary.ts';
import { isWorking } from './programs.ts';
import { type ReportProgress, reportWhile } from './progress.ts';

const mebibyte = 1024 * 1024;
const connectTimeoutMs = 20_000;

/** Fetches one address into a file and answers the SHA-256 of its bytes; `onBytes` hears how many have come. */
async function fetchFile(url: string, file: string, onBytes: (total: number) => void): Promise<string> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(new Error('no answer')), connectTimeoutMs);
  const response = await fetch(url, { signal: connecting.signal }).finally(() => clearTimeout(timer));
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const hash = createHash('sha256');
  let total = 0;
  async function* watched(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      onBytes((total += chunk.length));
      yield chunk;
    }
  }
  await pipeline(Readable.fromWeb(response.body as never), watched, createWriteStream(file));
  return hash.digest('hex');
}

/** Writes the entry of that name out of a `.tar.gz`. */
async function unpackEntry(archive: string, name: string, target: string): Promise<void> {
  const entries = extract();
  const unpacking = pipeline(createReadStream(archive), createGunzip(), entries);
  let found = false;
  for await (const entry of entries) {
    const wanted = entry.header.type === 'file' && path.posix.basename(entry.header.name) === name;
    if (wanted) await pipeline(entry, createWriteStream(target));
    else entry.resume();
    found ||= wanted;
  }
  await unpacking;
  if (!found) throw new Error(`there is no ${name} in it`);
}

async function install(
  engine: EngineBinary,
  release: PinnedRelease,
  url: string,
  file: string,
  report: ReportProgress,
) {
  const download = `${file}.${process.pid}.download`;
  const unpacked = `${file}.${process.pid}.tmp`;
  let bytes = 0;
  const describe = () => `downloading ${engine.title}: ${Math.floor(bytes / mebibyte)} MiB`;
  const fetching = fetchFile(url, download, (total) => (bytes = total));
  try {
    const sha256 = await reportWhile(engine.name, report, describe, fetching);
    if (sha256 !== release.sha256) throw new Error('its SHA-256 is not the pinned one');
    if (release.archive === 'tar.gz') await unpackEntry(download, engine.name, unpacked);
    else renameSync(download, unpacked);
    chmodSync(unpacked, 0o755);
    renameSync(unpacked, file);
  } finally {
    for (const rest of [download, unpacked]) rmSync(rest, { force: true });
  }
}

/** Where the cache keeps the program of a pinned release. */
function releaseFile(engine: EngineBinary, release: PinnedRelease, cache: string): string {
  return path.join(cache, `${engine.name}-release-${release.sha256.slice(0, 16)}`, engine.name);
}

/**
 * Answers the engine's official release from the cache, or downloads it, when one is pinned for this machine. Bytes whose
 * SHA-256 is not the pinned one are thrown away. Answers a reason, fit for the middle of a sentence, when that fails.
 */
export async function downloadRelease(
  engine: EngineBinary,
  cache: string,
  report: ReportProgress,
): Promise<{ file: string } | { reason: string }> {
  const release = engine.releases[`${process.platform}-${process.arch}`];
  if (!release) return { reason: 'there is no pinned release for this machine' };
  const file = releaseFile(engine, release, cache);
  if (existsSync(file)) return { file };
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = await waitForLock(path.join(cache, `${engine.name}.lock`), (elapsedSeconds) =>
    report({ engine: engine.name, doing: `waiting for another run that downloads ${engine.title}`, elapsedSeconds }),
  );
  const reasons: string[] = [];
  try {
    for (const url of existsSync(file) ? [] : release.urls) {
      const failure = await install(engine, release, url, file, report).then(
        () => undefined,
        (error: Error) => `${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      );
      if (!failure) break;
      reasons.push(failure);
    }
  } finally {
    lock.release();
  }
  if (!existsSync(file)) return { reason: `its release could not be downloaded (${reasons.join('; ')})` };
  return (await isWorking(file, engine.versionPattern)) ? { file } : { reason: `its release (${file}) does not run` };
}
