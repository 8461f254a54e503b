import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { invalid } from '../../../core/errors.ts';
import { type ArchiveEntry, badArchive, entryFault } from './entry.ts';

const typeMask = 0o170000;
const unixKinds = new Map([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'symbolic link'],
  [0o010000, 'pipe'],
  [0o020000, 'device'],
  [0o060000, 'device'],
  [0o140000, 'socket'],
]);

/** Returns the type of an entry. A zip has no types: a folder's name ends in a slash, and Unix tools add the mode. */
function kindOf(entry: Entry, name: string): string {
  const kind = unixKinds.get((entry.externalFileAttributes >>> 16) & typeMask) ?? 'special entry';
  if (kind === 'file' && name.endsWith('/')) return 'folder';
  return entry.isEncrypted() ? 'encrypted file' : kind;
}

/**
 * Decodes a name as UTF-8 whenever it is valid UTF-8, even without the flag: the alternative, code page 437, has no
 * control characters.
 */
function nameOf({ fileNameRaw: raw, generalPurposeBitFlag: flags, extraFields }: Entry): string {
  const isUtf8 = Buffer.from(raw.toString('utf8')).equals(raw);
  return getFileNameLowLevel(isUtf8 ? flags | 0x800 : flags, raw, extraFields, true);
}

async function readEntry(zip: ZipFile, entry: Entry, name: string): Promise<Buffer> {
  let data: Buffer;
  try {
    data = await buffer(await zip.openReadStreamPromise(entry));
  } catch (error) {
    throw invalid([entryFault(name, `cannot be unpacked: ${(error as Error).message}`)]);
  }
  if (crc32(data) !== entry.crc32) throw invalid([entryFault(name, 'is damaged: its checksum does not match')]);
  return data;
}

/**
 * Reads the entries of a zip in the order of its directory. No entry yields more bytes than the directory states.
 * Throws 422 if it is not a zip or is damaged.
 */
export async function* readZip(body: Buffer): AsyncGenerator<ArchiveEntry> {
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(body, { decodeStrings: false, validateEntrySizes: true });
  } catch (error) {
    throw badArchive(`The zip is damaged: ${(error as Error).message}`);
  }
  const entries = zip.eachEntry()[Symbol.asyncIterator]();
  for (;;) {
    const next = await entries.next().catch((error: unknown) => {
      throw badArchive(`The zip is damaged: ${(error as Error).message}`);
    });
    if (next.done) return;
    const entry = next.value;
    const name = nameOf(entry);
    yield { name, kind: kindOf(entry, name), bytes: entry.uncompressedSize, read: () => readEntry(zip, entry, name) };
  }
}
