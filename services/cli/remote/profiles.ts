import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { CliError } from '../run-command.ts';

/** A service and an API key of it. */
export interface Connection {
  /** The origin of the service. */
  url: string;
  key: string;
}

/** The profile that is used when no other one is named. */
export const defaultProfile = 'default';

const profileName = /^[A-Za-z0-9][\w.-]{0,63}$/;
const profilesFile = z.object({ profiles: z.record(z.string(), z.object({ url: z.string(), key: z.string() })) });

/** Returns the path of the file that keeps the profiles: in `XDG_CONFIG_HOME`, by default `~/.config`. */
export function profilesPath(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config'), 'fieldstone', 'profiles.json');
}

/** Throws a CliError `usage` for a name that a profile cannot have. */
export function requireProfileName(name: string): string {
  if (profileName.test(name)) return name;
  const message = `A profile has a name of letters, digits, "-", "_" and ".", not "${name}".`;
  throw new CliError(message, { code: 'usage' });
}

/**
 * Reads all profiles by name; an empty record if there is no file. Throws a CliError if other users of the machine can read the
 * file, because it contains keys, or if it is damaged.
 */
export async function readProfiles(file = profilesPath()): Promise<Map<string, Connection>> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!found) return new Map();
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new CliError(`Other users can read the keys in ${file}: run chmod 600 on it.`);
  try {
    return new Map(Object.entries(profilesFile.parse(JSON.parse(await readFile(file, 'utf8'))).profiles));
  } catch (error) {
    throw new CliError(`The file ${file} is damaged: delete it and sign in again.`, { cause: error });
  }
}

/** Replaces the profiles. The file is written whole, with mode 0600, so that a crash leaves the old one. */
async function writeProfiles(file: string, profiles: Map<string, Connection>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomUUID()}`;
  const text = `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Adds or replaces a profile. */
export async function saveProfile(name: string, connection: Connection, file = profilesPath()): Promise<void> {
  const profiles = await readProfiles(file);
  await writeProfiles(file, profiles.set(requireProfileName(name), connection));
}

/** Removes a profile; its key stays valid. Throws a CliError `not_found` if it does not exist. */
export async function removeProfile(name: string, file = profilesPath()): Promise<void> {
  const profiles = await readProfiles(file);
  if (!profiles.delete(name)) throw new CliError(`There is no profile ${name}.`, { code: 'not_found' });
  await writeProfiles(file, profiles);
}
