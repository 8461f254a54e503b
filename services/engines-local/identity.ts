import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/** A user to run a process as. */
export interface Identity {
  uid: number;
  gid: number;
}

/** Unprivileged users that nearly every system has; the database server's own one first. */
const candidates = ['postgres', 'nobody'];

function lookUp(user: string): Identity | undefined {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined; // no such user
  }
}

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root: the owner of existing data, else the first
 * unprivileged user that exists; undefined when this process is not root. Throws when there is no such user.
 */
export function chooseIdentity(postgresDir: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(postgresDir)) {
    const { uid, gid } = statSync(postgresDir);
    if (uid !== 0) return { uid, gid };
  }
  for (const user of candidates) {
    const identity = lookUp(user);
    if (identity) return identity;
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "nobody" to run it as: start as another user.',
  );
}
