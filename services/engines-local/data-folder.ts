import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { tryLock } from '../core/file-lock.ts';
import { type Credentials, loadCredentials } from './credentials.ts';
import { endOrphans, runMarkerVariable } from './orphans.ts';
import { startWatchdog } from './watchdog.ts';

/** A data folder that only this process uses. */
export interface DataFolder {
  path: string;
  credentials: Credentials;
  /** Environment variables that every process started for this folder must have. */
  marker: Record<string, string>;
  /** Number of processes of an earlier, killed run that had to be ended. */
  orphansEnded: number;
  /** Releases the folder; call it when all its processes have ended. */
  close(): void;
}

/** The folder is in use by another run. */
export class DataFolderInUse extends Error {}

const reasons: Record<string, string> = {
  ENOTDIR: 'it is a file, or is below one',
  EEXIST: 'it is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system cannot be written',
  ENOSPC: 'its file system is full',
  ENAMETOOLONG: 'its name is too long',
};

/** Creates the folder if it is missing and returns its real path. Throws a sentence. */
function makeFolder(directory: string): string {
  try {
    mkdirSync(path.join(directory, 'logs'), { recursive: true, mode: 0o700 });
    const folder = realpathSync(directory);
    chmodSync(folder, 0o700);
    return folder;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const sentence = `${directory} cannot be the data folder: ${reasons[code] ?? message}. Choose another one with --data.`;
    throw new Error(sentence, { cause: error });
  }
}

/**
 * Opens a data folder: creates it (mode 0700), acquires its lock, and ends processes left by a killed run. Throws
 * DataFolderInUse when another run holds it, and a sentence when it cannot be created or written.
 */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  const folder = makeFolder(directory);
  const lock = tryLock(path.join(folder, 'lock'));
  if (!lock) {
    throw new DataFolderInUse(
      `Another fieldstone is running on ${folder}: stop it first, or choose another folder with --data.`,
    );
  }
  try {
    const credentials = loadCredentials(folder);
    const owner = `${credentials.instance}:${folder}:`;
    const orphansEnded = await endOrphans(owner);
    const run = owner + randomBytes(6).toString('hex');
    const watchdog = startWatchdog(run);
    return {
      path: folder,
      credentials,
      marker: { [runMarkerVariable]: run },
      orphansEnded,
      close() {
        watchdog.dismiss();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
