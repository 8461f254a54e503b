import path from 'node:path';
import { canonicalHost } from './hosts.ts';

/** A configured S3 server and a bucket on it; not configured without an endpoint. */
export interface S3Settings {
  endpoint: string | undefined;
  bucket: string;
  accessKey: string | undefined;
  secretKey: string | undefined;
  region: string;
  /** The authority of its certificate, as PEM text. */
  ca: string | undefined;
}

/** Complete S3 settings. */
export interface S3Config extends S3Settings {
  endpoint: string;
  accessKey: string;
  secretKey: string;
}

/** A store of objects: a bucket of an S3 server, or a folder of this machine. */
export type StoreSettings =
  | ({ engine: 's3' } & S3Config)
  /** Writes are refused while less than `minFreeBytes` are free. */
  | { engine: 'files'; folder: string; minFreeBytes: number };

/** The object store (design: Engines), and the previous one that reads may fall back to while objects are moved. */
export type ObjectSettings = StoreSettings & { fallback?: StoreSettings | undefined };

interface Settings {
  s3: S3Settings;
  backupS3: S3Settings;
  fallbackS3: S3Settings;
  dataDir: string | undefined;
  minFreeBytes: number;
}

/** Returns the bucket that settings name; undefined if they are incomplete. */
function bucketOf(s3: S3Settings): StoreSettings | undefined {
  const { endpoint, accessKey, secretKey } = s3;
  return endpoint && accessKey && secretKey ? { ...s3, engine: 's3', endpoint, accessKey, secretKey } : undefined;
}

/** Returns the origin of a store, normalized. */
function originOf(endpoint: string): string {
  const { protocol, host, port } = new URL(endpoint);
  return `${protocol}//${canonicalHost(host)}:${port}`;
}

/** Returns whether two settings name the same bucket or folder. */
export function isSameStore(one: StoreSettings, other: StoreSettings): boolean {
  if (one.engine === 's3' && other.engine === 's3')
    return one.bucket === other.bucket && originOf(one.endpoint) === originOf(other.endpoint);
  if (one.engine === 'files' && other.engine === 'files')
    return path.resolve(one.folder) === path.resolve(other.folder);
  return false;
}

/** Returns every store that settings name, whether used or not. */
export function listStores({ s3, backupS3, fallbackS3, dataDir, minFreeBytes }: Settings) {
  const folderOf = (name: string): StoreSettings | undefined =>
    dataDir ? { engine: 'files', folder: path.join(dataDir, name), minFreeBytes } : undefined;
  return {
    bucket: bucketOf(s3),
    folder: folderOf('objects'),
    /** The bucket from which objects are being moved. */
    fallbackBucket: bucketOf(fallbackS3),
    backupBucket: bucketOf(backupS3),
    backupFolder: folderOf('backups'),
  };
}

/**
 * Chooses the stores of objects and backups: S3 if its endpoint is set, else the data folder; undefined without either.
 */
export function chooseStores(settings: Settings): { objects?: ObjectSettings; backups?: StoreSettings } {
  const { bucket, folder, fallbackBucket, backupBucket, backupFolder } = listStores(settings);
  const objects = bucket ? { ...bucket, fallback: folder } : folder && { ...folder, fallback: fallbackBucket };
  const backups = backupBucket ?? backupFolder;
  return { ...(objects ? { objects } : {}), ...(backups ? { backups } : {}) };
}
