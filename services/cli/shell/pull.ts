import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compareTexts, createLineBudget, diffTexts, findWriteFault } from '../../features/shell/index.ts';
import type { RemoteClient } from '../remote/connection.ts';
import { CliError } from '../run-command.ts';
import { hashFolder } from './theme.ts';

/** The result of a pull: paths by their outcome. */
export interface Pulled {
  /** Number of files of the site's shell. */
  files: number;
  written: string[];
  removed: string[];
  /** Files of the folder that the shell does not have. */
  kept: string[];
}

/** A file that differs between the shell of a site (before) and a folder (after). */
export interface FolderDifference {
  path: string;
  change: 'added' | 'removed' | 'changed';
  /** A unified diff; null for the reason in `diff_omitted`. */
  diff: string | null;
  diff_omitted: string | null;
}

/** Returns the SHA-256 of each file of a site's shell, by path. Throws for a path that could lead out of a folder. */
async function hashShell(client: RemoteClient, site: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for await (const { path: name, sha256 } of client.list('listShellFiles', { site })) {
    const fault = findWriteFault(name);
    if (fault) throw new CliError(`The service has a shell file "${name}", whose path ${fault}.`);
    hashes.set(name, sha256);
  }
  return hashes;
}

async function readRemote(client: RemoteClient, site: string, name: string): Promise<Buffer> {
  return Buffer.from((await client.call('readShellFile', { site, path: name })).bytes!);
}

/**
 * Writes the files of a site's shell to a folder; reads only files that differ. Theme files that the shell does not
 * have are kept, or are removed with `remove`.
 */
export async function pullShell(client: RemoteClient, site: string, folder: string, remove: boolean): Promise<Pulled> {
  const remote = await hashShell(client, site);
  await mkdir(folder, { recursive: true });
  const local = await hashFolder(folder);
  const written = [...remote].filter(([name, hash]) => local.get(name) !== hash).map(([name]) => name);
  const others = [...local.keys()].filter((name) => !remote.has(name));
  for (const name of written) {
    const file = path.join(folder, name);
    const data = await readRemote(client, site, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, data);
  }
  if (remove) for (const name of others) await rm(path.join(folder, name));
  return { files: remote.size, written, removed: remove ? others : [], kept: remove ? [] : others };
}

/** Compares a site's shell with a folder: what a push would change. Sorted by path. */
export async function diffShell(client: RemoteClient, site: string, folder: string): Promise<FolderDifference[]> {
  const [local, remote] = [await hashFolder(folder), await hashShell(client, site)];
  const paths = [...new Set([...local.keys(), ...remote.keys()])].sort();
  const budget = createLineBudget();
  const differences: FolderDifference[] = [];
  for (const name of paths.filter((each) => local.get(each) !== remote.get(each))) {
    const before = remote.has(name) ? await readRemote(client, site, name) : null;
    const after = local.has(name) ? await readFile(path.join(folder, name)) : null;
    const { diff, omitted } = await diffTexts(name, before, after, budget, compareTexts);
    const change = !before ? 'added' : !after ? 'removed' : 'changed';
    differences.push({ path: name, change, diff, diff_omitted: omitted });
  }
  return differences;
}
