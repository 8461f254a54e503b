import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import { type Document, listKeys } from './archive.ts';

/**
 * A backup of everything: the users' rows, and one backup of each site. It is written last: without it the backup does
 * not exist.
 */
export interface InstallationSummary {
  format: 1;
  kind: 'installation';
  id: string;
  created_at: string;
  /** Number of rows by table: users, teams, keys. */
  rows: Record<string, number>;
  contents: Document;
  sites: { id: string; slug: string; backup: string }[];
  /** Sites that could not be backed up, with the reasons. */
  missing: { id: string; slug: string; reason: string }[];
  blobs: number;
  bytes: number;
  added: { blobs: number; bytes: number };
}

const prefix = 'installations/';
const name = /^installations\/[\dT.Z-]+_([0-9a-f-]{36})\.json$/;

function installationKey({ id, created_at }: Pick<InstallationSummary, 'id' | 'created_at'>): string {
  return `${prefix}${created_at.replaceAll(':', '')}_${id}.json`;
}

/** Returns the id of a backup of the installation from its summary's key. */
export function parseInstallationKey(key: string): string | null {
  return name.exec(key)?.[1] ?? null;
}

/** Returns the keys of summaries, oldest first. */
export async function listInstallationKeys(bucket: KeyedStore): Promise<string[]> {
  return (await listKeys(bucket, prefix)).filter(parseInstallationKey).sort();
}

async function readInstallation(bucket: KeyedStore, key: string): Promise<InstallationSummary[]> {
  const data = await bucket.get(key);
  return data ? [JSON.parse(data.toString('utf8')) as InstallationSummary] : [];
}

/** Returns every backup of the installation, oldest first. */
export async function readInstallations(bucket: KeyedStore): Promise<InstallationSummary[]> {
  const keys = await listInstallationKeys(bucket);
  return (await Promise.all(keys.map((key) => readInstallation(bucket, key)))).flat();
}

/** Returns a backup of the installation; undefined when not found. */
export async function findInstallation(bucket: KeyedStore, id: string): Promise<InstallationSummary | undefined> {
  const key = (await listInstallationKeys(bucket)).find((one) => parseInstallationKey(one) === id);
  return key === undefined ? undefined : (await readInstallation(bucket, key))[0];
}

export async function putInstallation(bucket: KeyedStore, summary: InstallationSummary): Promise<void> {
  await bucket.put(installationKey(summary), Buffer.from(JSON.stringify(summary)));
}
