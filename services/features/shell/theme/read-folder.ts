import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorDetail, invalid } from '../../../core/errors.ts';
import { findWriteFault, shellMaxBytes, themeLimits } from '../paths.ts';
import { badArchive, entryFault } from './entry.ts';
import type { ThemeFile } from './unpack.ts';

/** Returns whether a file is hidden, or in a hidden folder. */
const isHidden = (name: string) => name.split('/').some((segment) => segment.startsWith('.'));

/**
 * Returns the paths of a theme's files in a local folder, sorted. Hidden files, links and file types that a shell
 * cannot have are skipped and reported to `onSkipped`.
 */
export async function listThemeFolder(folder: string, onSkipped: (name: string) => void): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names: string[] = [];
  for (const entry of entries.filter((each) => !each.isDirectory())) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    const ending = findWriteFault(`x${path.extname(name)}`);
    if (isHidden(name) || ending || !entry.isFile()) onSkipped(name);
    else names.push(name);
  }
  return names.sort();
}

/**
 * Reads the files of `listThemeFolder`. Throws 422 for names and sizes that a shell rejects, and if there are no files.
 */
export async function* readThemeFolder(folder: string, onSkipped: (name: string) => void): AsyncGenerator<ThemeFile> {
  const names = await listThemeFolder(folder, onSkipped);
  if (names.length === 0) throw badArchive(`The folder ${folder} has no files of a theme.`);
  if (names.length > themeLimits.entries) throw badArchive(`A theme has at most ${themeLimits.entries} files.`);
  const faults: ErrorDetail[] = [];
  for (const name of names) {
    const fault = findWriteFault(name);
    const { size } = await stat(path.join(folder, name));
    if (fault) faults.push(entryFault(name, `the path of a shell file ${fault}`));
    else if (size > shellMaxBytes) faults.push(entryFault(name, `is larger than the ${shellMaxBytes} bytes allowed`));
  }
  if (faults.length > 0) throw invalid(faults);
  for (const name of names) yield { path: name, data: await readFile(path.join(folder, name)) };
}
