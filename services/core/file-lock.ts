import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Acquires an exclusive lock on `file`; returns undefined when another process holds it. It is the operating system's
 * record lock (acquired through an SQLite transaction, because Node has no call for it): the kernel releases it when
 * the holder dies, so that a lock can never be stale. See docs/decisions.
 */
export function tryLock(file: string): Lock | undefined {
  mkdirSync(path.dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/**
 * Waits until the lock on `file` is free and acquires it; calls `onWait` every second with the seconds waited so far.
 */
export async function waitForLock(file: string, onWait: (elapsedSeconds: number) => void): Promise<Lock> {
  for (let waited = 0; ; waited++) {
    const lock = tryLock(file);
    if (lock) return lock;
    onWait(waited);
    await sleep(1000);
  }
}
