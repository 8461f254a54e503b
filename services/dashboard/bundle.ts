import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, hashSources, isCheckout, packedFolder } from './sources.ts';

/** What a page needs in addition to what every view needs. */
export interface PageFiles {
  /** Below `/dashboard`, with `$name` parameters. */
  path: string;
  scripts: string[];
  styles: string[];
  /** Paths below `/dashboard/api` that the page requests at once, with the parameters of `path`. */
  reads: string[];
}

/** The file `index.json` of a bundle. File names are those of the files in the folder. */
export interface BundleIndex {
  /** The hash of the sources (`hashSources`). */
  sources: string;
  /** What every view loads; the entry is the first one. */
  scripts: string[];
  styles: string[];
  fonts: string[];
  pages: PageFiles[];
}

/** The browser code as it is served. */
export interface Bundle {
  folder: string;
  index: BundleIndex;
  /** The names of all files in the folder. */
  files: ReadonlySet<string>;
}

/** Opens a complete bundle, of these sources if they are given; undefined if the folder has no complete bundle. */
async function openBundle(folder: string, sources?: string): Promise<Bundle | undefined> {
  const text = await readFile(path.join(folder, 'index.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const index = text === undefined ? undefined : (JSON.parse(text) as BundleIndex);
  return index && (sources === undefined || index.sources === sources)
    ? { folder, index, files: new Set(await readdir(folder)) }
    : undefined;
}

/**
 * Bundles in a separate process, so that the compiler's memory is free afterwards. That process ends with this one, also
 * when this one is killed, which ends its standard input.
 */
async function build(folder: string): Promise<void> {
  const building = promisify(execFile)(process.execPath, [
    path.join(import.meta.dirname, 'build.ts'),
    folder,
    'attached',
  ]);
  const end = () => building.child.kill('SIGKILL');
  process.once('exit', end);
  await building.finally(() => process.off('exit', end));
}

/** Creates an empty folder in the cache folder or, where that is read-only, among the temporary files. */
async function createDraftFolder(): Promise<string> {
  try {
    await mkdir(cacheFolder(), { recursive: true });
    return await mkdtemp(path.join(cacheFolder(), 'draft-'));
  } catch {
    return mkdtemp(path.join(tmpdir(), 'fieldstone-dashboard-'));
  }
}

/**
 * Returns the bundle of the present sources: the packed one, the cached one, or a new one, which takes seconds of processor time. Throws
 * if it cannot be made.
 */
export async function loadBundle(): Promise<Bundle> {
  if (!isCheckout) {
    const packed = await openBundle(packedFolder);
    if (packed) return packed;
  }
  const sources = await hashSources();
  const cached = path.join(cacheFolder(), sources);
  const found = (await openBundle(packedFolder, sources)) ?? (await openBundle(cached, sources));
  if (found) return found;
  const draft = await createDraftFolder();
  await build(draft);
  // The folder cannot be moved if another process was faster, whose bundle has the same content, or if the cache is on another disk.
  const folder = await rename(draft, cached).then(
    () => cached,
    () => draft,
  );
  return (await openBundle(folder, sources))!;
}
