import { invalid, type Problem } from '../../../core/errors.ts';
import { themeLimits } from '../paths.ts';

/** One entry of an archive, whichever kind. */
export interface ArchiveEntry {
  /** As the archive has it. */
  name: string;
  /** `file`, `folder`, or what else it is, for people. */
  kind: string;
  bytes: number;
  /** The entry's bytes; call it before asking for the next entry, or not at all. Throws a Problem for a damaged one. */
  read(): Promise<Buffer>;
}

const shownNameLength = 300;

/** A fault of one entry; `path` of the detail is the entry's name. */
export function entryFault(name: string, message: string): { path: string; message: string } {
  return { path: name.slice(0, shownNameLength), message };
}

/** 422 for an archive that cannot be read. */
export function badArchive(message: string): Problem {
  return invalid([{ path: '', message }]);
}

export const tooMuchUnpacked = () =>
  badArchive(`The archive unpacks to more than the ${themeLimits.unpackedBytes} bytes allowed.`);
