import { batchBytes, inPieces, type LargeBytes, LargeText } from '../../core/large-list.ts';
import type { ObjectStore, Place } from './store.ts';

type Objects = Pick<ObjectStore, 'readAt'>;

const readerOf =
  (objects: Objects, { key, offset }: Place) =>
  (start: number, bytes: number) =>
    objects.readAt({ key, offset: offset + start, bytes });

/** Stored bytes as a text member of a record, which is read in pieces while the record is sent. */
export function largeText(objects: Objects, hash: string, place: Place, encoding: LargeText['encoding']): LargeText {
  return new LargeText({ hash, bytes: place.bytes, encoding, read: readerOf(objects, place) });
}

/** Stored bytes as the body of a reply, which is read in pieces while it is sent. */
export function largeBytes(objects: Objects, place: Place): LargeBytes {
  return { bytes: place.bytes, pieces: inPieces(place.bytes, batchBytes, readerOf(objects, place)) };
}
