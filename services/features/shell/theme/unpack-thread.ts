import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type ErrorDetail, Problem } from '../../../core/errors.ts';
import { unpackTheme } from './unpack.ts';

/** A file with its own ArrayBuffer, which can be transferred out of the thread without a copy. */
export interface UnpackedFile {
  path: string;
  data: Uint8Array<ArrayBuffer>;
}

/** The files of a theme, or the faults of the archive: error classes cannot leave a thread. */
export type UnpackOutcome = { files: UnpackedFile[] } | { message: string; details: ErrorDetail[] };

function moveFiles(files: UnpackedFile[]): UnpackOutcome {
  const outcome = {
    [transferableSymbol]: files.map(({ data }) => data.buffer),
    [valueSymbol]: { files },
  };
  return move(outcome as never) as unknown as UnpackOutcome;
}

/** Unpacks the archive of a theme in a thread; see `unpackInThread`. */
export default async function unpack(archive: Uint8Array): Promise<UnpackOutcome> {
  const body = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const files: UnpackedFile[] = [];
  try {
    for await (const { path, data } of unpackTheme(body)) {
      const isAlone = data.buffer.byteLength === data.length && data.length > 0;
      files.push({ path, data: isAlone ? (data as Uint8Array<ArrayBuffer>) : new Uint8Array(data) });
    }
    return moveFiles(files);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return { message: error.message, details: error.details ?? [] };
  }
}
