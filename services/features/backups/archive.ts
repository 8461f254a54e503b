import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import { type ByteRange, hashBytes } from '../../engines/objects/store.ts';

export const compress: (data: string | Buffer) => Promise<Buffer> = promisify(gzip);
const decompress = promisify(gunzip);

/** A document of a backup, with its expected hash. */
export interface Document {
  key: string;
  sha256: string;
  bytes: number;
}

/** The summary of a backup, which `list` shows. It is written last: without it the backup does not exist. */
export interface Summary {
  format: 1;
  id: string;
  site: { id: string; slug: string; name: string };
  /** The backup of the whole installation that it belongs to; it is kept as long as that one. */
  installation?: string;
  created_at: string;
  /** Number of rows by table. */
  rows: Record<string, number>;
  blobs: number;
  bytes: number;
  /** What earlier backups did not contain. */
  added: { blobs: number; bytes: number };
  contents: Document;
  manifest: Document;
}

/** The place of each hash in the bucket: `packs[n]`, offset, length. */
interface BlobMap {
  format: 1;
  packs: string[];
  blobs: Record<string, [pack: number, offset: number, bytes: number]>;
}

export interface BlobPlace {
  key: string;
  offset: number;
  bytes: number;
}

/** The contents of a backup have changed since it was made. */
export class BackupDamaged extends Error {}

const summaryPrefix = 'sites/';

export const documentPrefix = (id: string) => `backups/${id}/`;
export const documentKey = (id: string, name: string) => documentPrefix(id) + name;
export const packPrefix = (siteId: string) => `packs/${siteId}/`;

/** Names begin with the time, so that they sort chronologically, and contain everything that a list needs. */
function summaryKey({ id, site, created_at, installation }: Summary): string {
  const owner = installation ? `_${installation}` : '';
  return `${summaryPrefix}${site.id}/${created_at.replaceAll(':', '')}_${id}${owner}.json`;
}

interface SummaryName {
  siteId: string;
  id: string;
  createdAt: Date;
  /** The backup of the whole installation that it belongs to. */
  installation: string | null;
}

const summaryName =
  /^sites\/([0-9a-f-]{36})\/(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)_([0-9a-f-]{36})(?:_([0-9a-f-]{36}))?\.json$/;

/** Parses a summary's key; null if it is not one. */
export function parseSummaryKey(key: string): SummaryName | null {
  const found = summaryName.exec(key);
  if (!found) return null;
  const [, siteId, day, hours, minutes, seconds, id, installation = null] = found;
  return { siteId: siteId!, id: id!, createdAt: new Date(`${day}${hours}:${minutes}:${seconds}`), installation };
}

/** Stores a document that is already compressed. */
export async function putDocument(bucket: KeyedStore, key: string, data: Buffer): Promise<Document> {
  await bucket.put(key, data);
  return { key, sha256: hashBytes(data), bytes: data.length };
}

/** Returns a document as it was stored. Throws BackupDamaged. */
export async function getDocument(bucket: KeyedStore, { key, sha256 }: Document): Promise<Buffer> {
  const data = await bucket.get(key);
  if (!data) throw new BackupDamaged(`The backup lacks ${key}.`);
  if (hashBytes(data) !== sha256) throw new BackupDamaged(`${key} has changed since it was backed up.`);
  return decompress(data);
}

export async function putSummary(bucket: KeyedStore, summary: Summary): Promise<void> {
  await bucket.put(summaryKey(summary), Buffer.from(JSON.stringify(summary)));
}

async function getSummary(bucket: KeyedStore, key: string): Promise<Summary | null> {
  const data = await bucket.get(key);
  return data && (JSON.parse(data.toString('utf8')) as Summary);
}

export async function listKeys(bucket: KeyedStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix)) keys.push(key);
  return keys;
}

/** Returns the keys of summaries, oldest first within a site; of one site, or of all. */
export async function listSummaryKeys(bucket: KeyedStore, siteId?: string): Promise<string[]> {
  const keys = await listKeys(bucket, siteId ? `${summaryPrefix}${siteId}/` : summaryPrefix);
  return keys.filter(parseSummaryKey).sort();
}

export async function readSummaries(bucket: KeyedStore, keys: readonly string[]): Promise<Summary[]> {
  const summaries: Summary[] = [];
  for (const key of keys) {
    const summary = await getSummary(bucket, key);
    if (summary) summaries.push(summary);
  }
  return summaries;
}

/** Returns the summary of a backup; undefined when not found. Faster when the site is known. */
export async function findSummary(bucket: KeyedStore, id: string, siteId?: string): Promise<Summary | undefined> {
  const keys = (await listSummaryKeys(bucket, siteId)).filter((key) => parseSummaryKey(key)?.id === id);
  return (await readSummaries(bucket, keys))[0];
}

export async function readBlobMap(bucket: KeyedStore, summary: Summary): Promise<Map<string, BlobPlace>> {
  const { packs, blobs } = JSON.parse((await getDocument(bucket, summary.manifest)).toString('utf8')) as BlobMap;
  return new Map(
    Object.entries(blobs).map(([hash, [pack, offset, bytes]]) => [hash, { key: packs[pack]!, offset, bytes }]),
  );
}

export function toBlobMap(places: ReadonlyMap<string, BlobPlace>): BlobMap {
  const packs = [...new Set([...places.values()].map(({ key }) => key))];
  const number = new Map(packs.map((key, n) => [key, n]));
  const blobs: BlobMap['blobs'] = {};
  for (const [hash, { key, offset, bytes }] of places) blobs[hash] = [number.get(key)!, offset, bytes];
  return { format: 1, packs, blobs };
}

/** Returns the bytes of a blob as a stream, unchecked. Throws BackupDamaged when they are not found. */
export async function openBlob(bucket: KeyedStore, { key, offset, bytes }: BlobPlace): Promise<Readable> {
  const range: ByteRange = { start: offset, end: offset + bytes - 1 };
  const stream = await bucket.getStream(key, range);
  if (!stream) throw new BackupDamaged(`The backup lacks ${key}.`);
  return stream;
}
