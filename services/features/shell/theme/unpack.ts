import { type ErrorDetail, invalid } from '../../../core/errors.ts';
import { findPathFault, findWriteFault, shellMaxBytes, themeLimits } from '../paths.ts';
import { type ArchiveEntry, badArchive, entryFault, tooMuchUnpacked } from './entry.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

/** A file of a theme, with its path in the shell. */
export interface ThemeFile {
  path: string;
  data: Buffer;
}

const zipMarks = [Buffer.from('PK\u0003\u0004'), Buffer.from('PK\u0005\u0006')];
const gzipMark = Buffer.from([0x1f, 0x8b]);
const maxReportedFaults = 100;

function readEntries(body: Buffer): AsyncGenerator<ArchiveEntry> {
  if (zipMarks.some((mark) => body.subarray(0, mark.length).equals(mark))) return readZip(body);
  return readTar(body, body.subarray(0, gzipMark.length).equals(gzipMark));
}

/** Removes a leading `./`: `tar -C theme -c .` writes `./base.twig`, and the folder itself becomes the empty path. */
function cleanName(name: string): string {
  const clean = name.replace(/^(?:\.\/+)+/, '');
  return clean === '.' ? '' : clean;
}

/** Returns a form that is equal for names that some file systems consider equal. */
function foldName(path: string): string {
  return path.normalize('NFKC').toLowerCase();
}

/** Creates a check of names and sizes that also detects duplicates. */
function createEntryCheck() {
  const seen = new Map<string, string>();
  let entries = 0;
  let bytes = 0;

  function findFault(entry: ArchiveEntry, path: string): string | null {
    if (entry.name.includes('\ufffd')) return 'the name is not UTF-8';
    if (entry.kind === 'folder') {
      const fault = path === '' ? null : findPathFault(path.replace(/\/$/, ''));
      return fault && `the path of a folder ${fault}`;
    }
    if (entry.kind !== 'file') return `is a ${entry.kind}; only files and folders are allowed`;
    const fault = findWriteFault(path);
    if (fault) return `the path of a shell file ${fault}`;
    if (entry.bytes > shellMaxBytes) return `is larger than the ${shellMaxBytes} bytes allowed for one file`;
    const twin = seen.get(foldName(path));
    seen.set(foldName(path), path);
    if (twin === undefined) return null;
    return twin === path
      ? 'is in the archive twice'
      : `differs from ${twin} only in case or in the form of its letters`;
  }

  return {
    /** Returns the fault of an entry, or null. Throws 422 when the whole archive is too large. */
    check(entry: ArchiveEntry, path: string): string | null {
      entries++;
      if (entries > themeLimits.entries) throw badArchive(`The archive has more than ${themeLimits.entries} entries.`);
      const fault = findFault(entry, path);
      if (fault === null && entry.kind === 'file') bytes += entry.bytes;
      if (bytes > themeLimits.unpackedBytes) throw tooMuchUnpacked();
      return fault;
    },
  };
}

/**
 * Reads the files of a theme's archive: a tar, plain or gzipped, or a zip, detected from its bytes. Nothing is written
 * to disk, and an entry's bytes are read only while no entry has a fault. Throws 422 that names every invalid entry,
 * after the last file: the caller must wait for the end before using the files.
 */
export async function* unpackTheme(body: Buffer): AsyncGenerator<ThemeFile> {
  const entryCheck = createEntryCheck();
  const faults: ErrorDetail[] = [];
  for await (const entry of readEntries(body)) {
    const path = cleanName(entry.name);
    const fault = entryCheck.check(entry, path);
    if (fault !== null) faults.push(entryFault(entry.name, fault));
    if (faults.length >= maxReportedFaults) break;
    if (entry.kind !== 'file' || faults.length > 0) continue;
    yield { path, data: await entry.read() };
  }
  if (faults.length > 0) throw invalid(faults);
}
