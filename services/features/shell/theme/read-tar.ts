import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { invalid, Problem } from '../../../core/errors.ts';
import { themeLimits } from '../paths.ts';
import { type ArchiveEntry, badArchive, entryFault, tooMuchUnpacked } from './entry.ts';

const blockBytes = 512;
/** A tar may have a header, a long name and padding for each entry, in addition to the files. */
const maxTarBytes = themeLimits.unpackedBytes + themeLimits.entries * 8 * blockBytes;

const expectedFormat = 'The body must be an archive: a tar, a gzipped tar or a zip; this body is not one';
const incomplete = `${expectedFormat}, or it is incomplete.`;

const kinds: Readonly<Record<string, string>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'symbolic link',
  link: 'hard link',
  fifo: 'pipe',
  'character-device': 'device',
  'block-device': 'device',
};

function kindOf({ type, pax }: Header): string {
  if (Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse'))) return 'sparse file';
  return kinds[type] ?? 'special entry';
}

/** Passes on a tar's bytes up to the limit, and checks that the end of the archive is present. */
async function* limitBytes(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  let end: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxTarBytes) throw tooMuchUnpacked();
    end = Buffer.concat([end, chunk.subarray(-2 * blockBytes)]).subarray(-2 * blockBytes);
    yield chunk;
  }
  if (end.length < 2 * blockBytes || end.some((byte) => byte !== 0)) throw badArchive(incomplete);
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return badArchive(`${expectedFormat}, or it is damaged: ${reason}`);
}

async function readEntry(name: string, entry: AsyncIterable<unknown>): Promise<Buffer> {
  try {
    return await buffer(entry as AsyncIterable<Buffer>);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw invalid([entryFault(name, `cannot be read: ${(error as Error).message}`)]);
  }
}

/** Reads the entries of a tar, plain or gzipped, in order. Throws 422 if it is not a tar, is damaged or too large. */
export async function* readTar(body: Buffer, gzipped: boolean): AsyncGenerator<ArchiveEntry> {
  const packed = Readable.from([body], { objectMode: false });
  const unpacked = gzipped ? packed.pipe(createGunzip()) : packed;
  const source = Readable.from(limitBytes(unpacked));
  const entries = extract({ allowUnknownFormat: true } as object);
  source.on('error', (error) => entries.destroy(error));
  source.pipe(entries);
  try {
    for await (const entry of entries) {
      const { name, size } = entry.header;
      yield { name, kind: kindOf(entry.header), bytes: size, read: () => readEntry(name, entry) };
      entry.resume();
    }
  } catch (error) {
    throw toProblem(error);
  } finally {
    unpacked.destroy();
    source.destroy();
  }
}
