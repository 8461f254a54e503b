import { invalid, type Problem } from '../../../core/errors.ts';
import { themeLimits } from '../paths.ts';

/** One entry of an archive of any format. */
export interface ArchiveEntry {
  /** The name in the archive. */
  name: string;
  /** `file`, `folder`, or a description of another type. */
  kind: string;
  bytes: number;
  /**
   * Returns the entry's bytes; may only be called before the next entry is requested. Throws a Problem for a damaged
   * entry.
   */
  read(): Promise<Buffer>;
}

const shownNameLength = 300;

/** Returns the detail of a fault of one entry; its `path` is the entry's name. */
export function entryFault(name: string, message: string): { path: string; message: string } {
  return { path: name.slice(0, shownNameLength), message };
}

/** Returns a 422 for an archive that cannot be read. */
export function badArchive(message: string): Problem {
  return invalid([{ path: '', message }]);
}

export const tooMuchUnpacked = () =>
  badArchive(`The archive unpacks to more than the ${themeLimits.unpackedBytes} bytes allowed.`);
