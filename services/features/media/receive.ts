import { Readable } from 'node:stream';
import type { Config } from '../../core/config.ts';
import { invalid, problem } from '../../core/errors.ts';
import type { ObjectStore, StreamLimits } from '../../engines/objects/store.ts';
import { cleanFilename } from './filename.ts';
import type { MediaKind, StoredFile } from './row.ts';
import { measure, measureBytes, type Size, sniff, sniffBytes } from './sniff.ts';

export interface ReceiveDeps {
  objects: Pick<ObjectStore, 'putStream'>;
  config: { mediaLimits: Config['mediaLimits'] };
}

type Limits = Config['mediaLimits'];

/** Returns the maximum size of any file in bytes. */
export function largestFile({ imageBytes, videoBytes, fileBytes }: Limits): number {
  return Math.max(imageBytes, videoBytes, fileBytes);
}

/** Returns the maximum size of a file of this kind in bytes. */
export function limitOf(kind: MediaKind, limits: Limits): number {
  return { image: limits.imageBytes, video: limits.videoBytes, file: limits.fileBytes }[kind];
}

function tooLarge(maxBytes: number) {
  return problem('too_large', `The file is larger than the ${maxBytes} bytes allowed for its kind.`);
}

function tooManyPixels(limit: number) {
  const message = `has more than the ${limit} pixels allowed for an image`;
  return invalid([{ path: 'file', message }]);
}

/** Reads until `head` has `bytes` bytes or the stream has ended. */
async function readAtLeast(head: Buffer, chunks: AsyncIterator<Buffer>, bytes: number): Promise<Buffer> {
  const parts = [head];
  let length = head.length;
  while (length < bytes) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(parts);
}

async function* chain(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/**
 * Stores a file from a stream. Its first bytes determine its type, its size limit and its pixels. The file is never
 * completely in memory. Throws `too_large`, and `validation_failed` for an empty file or too many pixels.
 */
export async function receiveFile(
  { objects, config: { mediaLimits } }: ReceiveDeps,
  source: AsyncIterable<Buffer>,
  givenName: string,
  { minBytes = 0, heldBytes }: Pick<StreamLimits, 'minBytes' | 'heldBytes'> = {},
): Promise<StoredFile> {
  const filename = cleanFilename(givenName);
  const chunks = source[Symbol.asyncIterator]();
  try {
    let head = await readAtLeast(Buffer.alloc(0), chunks, sniffBytes);
    if (head.length === 0) throw invalid([{ path: 'file', message: 'is empty' }]);
    const { kind, mime_type, work } = await sniff(head, filename);
    let size: Size | null = null;
    if (kind === 'image') {
      size = measure(head);
      if (!size) {
        head = await readAtLeast(head, chunks, measureBytes);
        size = measure(head);
      }
      if (size && size.width * size.height > mediaLimits.imagePixels) throw tooManyPixels(mediaLimits.imagePixels);
    }
    const rest = { [Symbol.asyncIterator]: () => chunks };
    const stream = Readable.from(chain(head, rest), { objectMode: false, highWaterMark: 64 * 1024 });
    const maxBytes = limitOf(kind, mediaLimits);
    if (minBytes > maxBytes) throw tooLarge(maxBytes);
    const { hash, bytes } = await objects.putStream(stream, { maxBytes, minBytes, heldBytes });
    return {
      kind,
      filename,
      mime_type,
      bytes,
      sha256: hash,
      width: size?.width ?? null,
      height: size?.height ?? null,
      work,
    };
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

/** Returns a 422 for a missing file. */
export function missingFile() {
  return problem('validation_failed', 'Send a file, or the URL of one.', {
    details: [{ path: 'file', message: 'is required unless url is given' }],
  });
}
