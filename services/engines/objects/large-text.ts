import { batchBytes, inPieces, type LargeBytes, LargeText } from '../../core/large-list.ts';
import { MissingObject, type ObjectStore, type Place } from './store.ts';

type Objects = Pick<ObjectStore, 'locate' | 'readAt'>;

function bytesAt(objects: Objects, { key, offset, bytes }: Place, step: number): LargeBytes {
  const read = (start: number, length: number) => objects.readAt({ key, offset: offset + start, bytes: length });
  return { bytes, pieces: inPieces(bytes, step, read) };
}

/** Opens stored bytes as pieces that are read when needed. Throws MissingObject. */
export async function openBytes(objects: Objects, hash: string, step = batchBytes): Promise<LargeBytes> {
  const place = (await objects.locate([hash])).get(hash);
  if (!place) throw new MissingObject(`Nothing is stored under ${hash}.`);
  return bytesAt(objects, place, step);
}

/**
 * Creates a text member of a record from stored bytes. They are located when the record is sent, unless their place is
 * known.
 */
export function largeText(
  objects: Objects,
  hash: string,
  encoding: LargeText['encoding'] = 'utf8',
  place?: Place,
): LargeText {
  const open = async (step: number) => (place ? bytesAt(objects, place, step) : openBytes(objects, hash, step));
  return new LargeText({ hash, encoding, open });
}
