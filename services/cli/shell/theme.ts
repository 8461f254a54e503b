import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { listThemeFolder, readThemeFolder, type ThemeFile } from '../../features/shell/index.ts';
import { CliError } from '../run-command.ts';

const reportSkipped = (name: string): void => {
  process.stderr.write(`left out: ${name}\n`);
};

/**
 * A theme on this machine: the bytes of an archive, or the files of a folder. Files that a shell cannot have are left
 * out and named.
 */
export type Theme = { archive: Buffer } | { files: AsyncGenerator<ThemeFile> };

/** Opens a folder or an archive. Throws a CliError `not_found` if it does not exist. */
export async function openTheme(place: string): Promise<Theme> {
  const found = await stat(place).catch(() => null);
  if (!found) throw new CliError(`There is no folder or archive ${place}.`, { code: 'not_found' });
  return found.isDirectory() ? { files: readThemeFolder(place, reportSkipped) } : { archive: await readFile(place) };
}

/** Packs files into a gzipped tar. */
export async function packTheme(files: AsyncIterable<ThemeFile>): Promise<Uint8Array<ArrayBuffer>> {
  const tar = pack();
  const packed = buffer(tar.pipe(createGzip()));
  for await (const { path: name, data } of files) tar.entry({ name }, data);
  tar.finalize();
  return Uint8Array.from(await packed);
}

/** Throws a CliError `not_found` if a folder does not exist. */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new CliError(`There is no folder ${folder}.`, { code: 'not_found' });
}

/**
 * Returns the SHA-256 of each theme file of a folder, by path. Throws a CliError `not_found` if the folder does not
 * exist.
 */
export async function hashFolder(folder: string): Promise<Map<string, string>> {
  await requireFolder(folder);
  const hashes = new Map<string, string>();
  for (const name of await listThemeFolder(folder, reportSkipped))
    hashes.set(
      name,
      createHash('sha256')
        .update(await readFile(path.join(folder, name)))
        .digest('hex'),
    );
  return hashes;
}
