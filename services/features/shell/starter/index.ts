import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of a shell: its path inside the shell, `/`-separated, and its bytes. */
export type StarterFile = { path: string; bytes: Buffer };

const starterFolder = fileURLToPath(new URL('./files', import.meta.url));

/**
 * Reads the starter shell, which every new site receives: all files of the folder `files` next to this module, sorted
 * by path. Contract: "A new site starts with a complete, good-looking starter shell".
 */
export async function readStarterShell(): Promise<StarterFile[]> {
  const entries = await readdir(starterFolder, { recursive: true, withFileTypes: true });
  const absolutePaths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    absolutePaths.map(async (absolutePath) => ({
      path: relative(starterFolder, absolutePath).split(sep).join('/'),
      bytes: await readFile(absolutePath),
    })),
  );
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
