import { Readable } from 'node:stream';
import { invalid, problem } from '../../../core/errors.ts';
import { createChunkReader } from '../../../engines/objects/chunk-reader.ts';
import type { App } from '../../app.ts';
import { recordChange } from '../../audit/index.ts';
import { createMedia, requireAlt, wakeMedia } from '../library.ts';
import { limitOf, receiveFile } from '../receive.ts';
import type { MediaRow } from '../row.ts';
import { sniff, sniffBytes } from '../sniff.ts';
import { readMetadata } from './metadata.ts';
import { completeUpload, type Part, replaceParts, type UploadRow } from './sql.ts';

/** Bytes that a lost process can lose. */
export const partBytes = 4 * 1024 * 1024;
/** Parts are merged up to this size. */
const mergedBytes = 1024 * 1024;

const conflictingWrite = () =>
  problem('conflict', 'Another request has written to this upload; read its offset again.');

/** Checks the first bytes, so that an upload that must fail ends before the rest is sent. */
async function checkFirstBytes({ config }: App, upload: UploadRow, head: Buffer): Promise<void> {
  if (head.length < Math.min(sniffBytes, upload.length)) return;
  const { filename, alt = null, decorative = false } = readMetadata(upload.metadata);
  const { kind } = await sniff(head.subarray(0, sniffBytes), filename);
  requireAlt(kind, alt, decorative);
  const maxBytes = limitOf(kind, config.mediaLimits);
  if (upload.length > maxBytes)
    throw problem('too_large', `The file is larger than the ${maxBytes} bytes allowed for its kind.`);
}

async function* readParts({ objects }: App, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const { hash } of parts) yield* (await objects.getStream(hash)) as AsyncIterable<Buffer>;
}

/** Assembles the parts and adds the file to the library, in the transaction that completes the upload. */
async function complete(app: App, upload: UploadRow, offset: number, parts: readonly Part[]): Promise<void> {
  const { filename, alt = null, decorative = false } = readMetadata(upload.metadata);
  const file = await receiveFile(app, readParts(app, parts), filename, { minBytes: upload.length });
  let row: MediaRow | undefined;
  await app.db.transaction(async (tx) => {
    const writer = { userId: upload.created_by, onlyOwn: false };
    const scope = { app, db: tx, site: { id: upload.site_id }, writer };
    row = await createMedia(scope, { file, alt, decorative, sourceUrl: null });
    if (!(await completeUpload(tx, upload.id, offset, row.id))) throw conflictingWrite();
    const site = { id: upload.site_id, slug: upload.site_slug };
    const target = { kind: 'media', id: row.id, name: row.filename };
    await recordChange(tx, { operation: 'continueUpload', site, target });
  });
  wakeMedia(app, row!);
}

async function* join(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Stores a part while it is received. The first bytes of a new upload are checked before. */
async function storePart(app: App, upload: UploadRow, data: AsyncIterable<Buffer>): Promise<Part> {
  const reader = createChunkReader(data);
  const block = Buffer.alloc(upload.received === 0 ? sniffBytes : 0);
  const head = block.subarray(0, await reader.fill(block));
  if (upload.received === 0) await checkFirstBytes(app, upload, head);
  const stream = Readable.from(join(head, reader.rest()), { objectMode: false });
  return app.objects.putStream(stream, { maxBytes: partBytes });
}

/**
 * Adds a part. Small parts are merged with those before them, so that a file sent in requests of a few bytes has few
 * parts: each is more than twice as large as the next, and a merged part grows by at least half.
 */
export async function addPart(
  objects: Pick<App['objects'], 'getBytes' | 'putBytes'>,
  parts: readonly Part[],
  part: Part,
): Promise<Part[]> {
  const kept = [...parts];
  let last = part;
  for (let before = kept.at(-1); before && before.bytes <= 2 * last.bytes; before = kept.at(-1)) {
    if (before.bytes + last.bytes > mergedBytes) break;
    kept.pop();
    const data = Buffer.concat([await objects.getBytes(before.hash), await objects.getBytes(last.hash)]);
    last = { hash: await objects.putBytes(data), bytes: data.length };
  }
  return [...kept, last];
}

/**
 * Appends at most `partBytes` bytes to `upload`; returns its new state. The upload is complete exactly when its item is
 * in the library. Throws `too_large`, `validation_failed`, `conflict`.
 */
export async function appendBytes(app: App, upload: UploadRow, data: AsyncIterable<Buffer>): Promise<UploadRow> {
  const { received: offset, length } = upload;
  const part = await storePart(app, upload, data);
  const end = offset + part.bytes;
  if (end > length) throw invalid([{ path: '', message: 'The body is longer than Upload-Length' }]);
  if (end === length) {
    const parts = [...upload.parts, part];
    await complete(app, upload, offset, parts);
    return { ...upload, received: end, parts };
  }
  const parts = await addPart(app.objects, upload.parts, part);
  await app.db.transaction(async (tx) => {
    await app.objects.pin(tx, [parts.at(-1)!.hash]);
    if (!(await replaceParts(tx, upload.id, offset, end, parts))) throw conflictingWrite();
  });
  return { ...upload, received: end, parts };
}
