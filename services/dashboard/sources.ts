import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** The folders with browser code. */
const folders = ['app', 'parts', 'views'];

const root = path.join(import.meta.dirname, '../..');

/** The bundle that `npm run build:dashboard` makes for packages and images. */
export const packedFolder = path.join(import.meta.dirname, 'dist');

/** The folder of bundles that a checkout makes at its first start: in the user's cache folder. */
export const cacheFolder = (): string =>
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'fieldstone', 'dashboard');

/** Whether the program runs from a checkout or an image of one; an installed package has no lock file. */
export const isCheckout: boolean = existsSync(path.join(root, 'package-lock.json'));

/** Returns the name of the bundle of the present sources and locked packages: a bundle of the same name has the same content. */
export async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path.join(import.meta.dirname, 'build.ts')));
  if (isCheckout) hash.update(await readFile(path.join(root, 'package-lock.json')));
  for (const folder of folders) {
    const base = path.join(import.meta.dirname, folder);
    const entries = await readdir(base, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
    for (const file of files.sort())
      hash.update(`\0${path.relative(base, file)}\0${folder}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 32);
}
